import { type Details, type Frame, type Slot } from '../vocabulary';

export const details: Details = {
  day: ['lunes', 'martes', 'miércoles', 'jueves', 'viernes'],
  time: ['9:30', '10:00', '10:30', '11:00', '15:00', '15:30', '16:00', '16:30'],
  project: ['Atlas', 'Horizonte', 'Nova', 'Orión', 'Brújula', 'Meridiano', 'Faro', 'Delta'],
  city: ['Valencia', 'Sevilla', 'Bilbao', 'Zaragoza', 'Málaga', 'Granada', 'Vigo', 'Salamanca'],
};

export const frame: Frame = {
  goesOnAfterComma: false,
  noon: 14,
  evening: 20,
  greetings: {
    always: ['Hola {name},', 'Hola, {name}:', 'Hola {name}:'],
    morning: ['Buenos días, {name}:', 'Buenos días {name},'],
    afternoon: ['Buenas tardes, {name}:', 'Buenas tardes {name},'],
    evening: ['Buenas noches, {name}:'],
  },
  wishes: {
    always: [
      'Espero que [estés bien|te vaya todo bien|todo te vaya bien].',
      'Espero que por ahí vaya todo [bien|estupendamente].',
      'Espero que este mensaje te encuentre bien.',
    ],
    monday: ['Espero que hayas pasado un [buen|estupendo] fin de semana.', 'Espero que hayas empezado bien la semana.'],
    midweek: ['Espero que tu semana vaya [bien|muy bien].', 'Espero que estés teniendo una buena semana.'],
    friday: ['Espero que hayas tenido una [buena|buena y tranquila] semana.', 'La semana ha pasado volando, ¿verdad?'],
  },
  farewells: {
    always: ['¡Que tengas un [buen|estupendo] día!', '¡Hablamos pronto!', '¡Hasta pronto!'],
    monday: ['¡Que tengas una [buena|estupenda] semana!', '¡Buen comienzo de semana!'],
    midweek: ['¡Que te vaya bien el resto de la semana!', '¡Buen resto de semana!'],
    friday: ['¡Que tengas un [buen|estupendo] fin de semana!', '¡Buen fin de semana!'],
  },
  signOffs: [
    'Un saludo,',
    'Saludos,',
    'Un cordial saludo,',
    'Un abrazo,',
    'Saludos cordiales,',
    'Muchos saludos,',
    'Con un cordial saludo,',
  ],
};

export const lastWords: readonly Slot[] = [
  [
    '[Perfecto|Estupendo|Muy bien], entonces por mi parte queda todo [claro|resuelto].',
    'Me alegro, entonces ya tenemos [todo lo necesario|todo listo].',
    'Así me va [bien|muy bien], gracias por [la respuesta tan rápida|tu mensaje].',
  ],
  [
    'Si [mientras tanto|hasta entonces] surge [algo más|otra cosa], [escríbeme|avísame] sin problema.',
    'Si algo cambia o necesitas alguna otra cosa, [no dudes en escribirme|aquí me tienes].',
    'Puedes escribirme [aquí|cuando quieras] si queda algo [por ver|pendiente de aclarar].',
  ],
  [
    'Mientras tanto, [mucha suerte|ánimo] con {project}.',
    'Cruzo los dedos por {project}[ mientras tanto| hasta entonces|].',
    '[Saludos|Recuerdos] a [todo el equipo|la gente] de {project}.',
  ],
];

export const partingWords: readonly Slot[] = [
  [
    'Gracias, [es bueno saberlo|lo tendré en cuenta|muy amable por tu parte].',
    '[Así lo haré|De acuerdo], gracias por [tus palabras|tu mensaje|la buena colaboración].',
  ],
  [
    'Te [escribiré de nuevo|volveré a escribir] en cuanto haya alguna novedad sobre {project}.',
    'En cuanto {project} dé el siguiente paso, [tendrás noticias mías|te mandaré un mensaje breve].',
    'Por lo demás, hablamos [como muy tarde|sin falta] cuando {project} dé el siguiente paso.',
  ],
];
