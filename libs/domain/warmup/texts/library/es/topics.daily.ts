import { type Topic } from '../vocabulary';

export const daily: readonly Topic[] = [
  {
    name: 'meeting-moved',
    subjects: [
      'Nuestra reunión de la semana que viene',
      '[Nueva fecha|Otra hora] para nuestra reunión',
      '[Cambio de hora|Reunión]: {project}',
    ],
    opening: [
      [
        'Me ha surgido un imprevisto y tengo que [mover|cambiar] nuestra [reunión|cita] sobre {project}.',
        'Tengo que [aplazar|mover] nuestra [reunión|cita] sobre {project}, [perdona las molestias|lo siento].',
        'Se me ha [complicado|cambiado] la agenda y nuestra [reunión|cita] sobre {project} ya no encaja donde estaba.',
      ],
      [
        '¿Te [vendría|iría] bien el {day} de la semana que viene a las {time}?',
        '¿Podríamos [vernos|hablar] el {day} de la semana que viene a las {time}?',
        '¿Qué te parece el {day} de la semana que viene, [sobre|a] las {time}?',
      ],
      [
        'Si no te va bien, propón [tú |][otra hora|otros dos momentos].',
        'Nos hará falta [como mucho|más o menos] [media hora|cuarenta minutos], y los temas son los mismos.',
        'Cambio la invitación en cuanto [sepa de ti|me respondas].',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[No hay problema|Ningún problema], el {day} a las {time} me va [bien|muy bien|perfecto].',
            'El {day} a las {time} es [perfecto|buen momento] para mí[, gracias por avisar|].',
          ],
          [
            'Ya lo tengo [apuntado|en la agenda] y llevaré [los últimos datos|los puntos pendientes|las notas de la última vez].',
            'Envíame la nueva invitación [cuando puedas|] y mientras tanto [preparo|repaso] los puntos pendientes.',
          ],
        ],
        closing: [
          [
            '[Estupendo|Perfecto], gracias por tu flexibilidad. Acabo de cambiar la invitación, así que nos vemos el {day} a las {time}.',
            'Gracias, eso me ayuda [mucho|un montón]. La nueva invitación va en camino, y nos vemos el {day}.',
          ],
        ],
      },
      {
        reply: [
          [
            'El {day} lo tengo [complicado|bastante lleno], estoy en reuniones [todo el día|casi todo el día].',
            'Me gustaría, pero el {day} estoy [de viaje|en un curso] hasta la noche.',
          ],
          [
            '¿Sería posible [una semana después|la semana siguiente], [a la misma hora|más o menos a la misma hora]?',
            '¿Podríamos vernos [una semana después|la semana siguiente]? Entonces tengo más margen.',
          ],
        ],
        closing: [
          [
            '[Claro|Por supuesto], una semana después me va igual de bien. Te mando [ahora mismo|enseguida] una nueva invitación.',
            'No hay problema, lo hacemos una semana después. Recibirás la nueva invitación [hoy|en unos minutos].',
          ],
        ],
      },
    ],
  },
  {
    name: 'invoice-question',
    subjects: [
      '[Pregunta|Una pregunta|Consulta] sobre vuestra factura',
      'Factura de {project}',
      'Un detalle de la factura de {project}',
    ],
    opening: [
      [
        'Estoy [revisando|ordenando] los documentos de {project} y tengo una pequeña pregunta sobre vuestra última factura.',
        'Desde contabilidad me han preguntado por vuestra última factura de {project}.',
        'Al archivar los papeles de {project} he visto un [pequeño |]detalle en la última factura.',
      ],
      [
        'Parece que falta [el número de pedido|la referencia del proyecto], y sin eso [acaba en la carpeta equivocada|no se puede archivar].',
        'Todavía aparece nuestra dirección antigua, aunque nos mudamos [en primavera|hace un tiempo].',
        'Una línea dice solo "servicios", y nos haría falta una [breve |]descripción.',
      ],
      [
        '¿Podrías enviarme una versión corregida antes del {day}?',
        '¿Podrías [revisarlo|mirarlo] cuando tengas un momento?',
        '¿Podrías mirarlo o decirme [quién se ocupa|a quién le pregunto]?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Gracias por [avisar|decírmelo], tienes [toda la |]razón.',
            'Perdona, eso se [perdió|quedó por el camino] al cambiar la plantilla.',
          ],
          [
            'Ya lo he corregido y te envío la nueva versión [hoy|mañana|esta tarde].',
            'Tendrás la versión corregida [mañana por la mañana|antes de esta noche].',
          ],
        ],
        closing: [
          [
            '[Estupendo|Perfecto], gracias por la ayuda tan rápida. En cuanto llegue la nueva versión, la paso a contabilidad.',
            'Muchas gracias por ocuparte tan pronto. Aviso a contabilidad de que la nueva versión [está de camino|llega enseguida].',
          ],
        ],
      },
      {
        reply: [
          [
            'No lo sé [con certeza|muy bien], así que he preguntado a nuestra oficina.',
            'De eso se ocupa nuestra oficina, les he [pasado|reenviado] tu mensaje.',
          ],
          [
            'Te responderán [antes del {day}|esta semana] con los datos correctos.',
            'Te escribirán directamente [antes del {day}|en uno o dos días].',
          ],
        ],
        closing: [
          [
            'Gracias por pasarlo, por nuestra parte no corre prisa. Espero [entonces|tranquilamente] el mensaje de vuestra oficina.',
            'Muy bien, no necesito nada más. Lo dejo a un lado hasta que vuestra oficina [responda|me escriba].',
          ],
        ],
      },
    ],
  },
  {
    name: 'lunch',
    subjects: [
      '¿Comemos el {day}?',
      '[Una comida|Comer juntos] la semana que viene',
      '¿[Tienes tiempo|Te apetece quedar] para comer?',
      'Comida en {city}',
    ],
    opening: [
      [
        'Hace [mucho|demasiado tiempo] que no comemos juntos.',
        'El próximo {day} estaré cerca de vuestra oficina y [he pensado en ti|quería aprovechar].',
        'Han abierto un [sitio|restaurante] [cerca de la estación|aquí al lado] y me gustaría probarlo.',
      ],
      [
        '¿Te apetece comer conmigo el {day} de la semana que viene?',
        '¿Tienes ya planes para comer el {day} de la semana que viene?',
        '¿Qué tal una comida el {day} de la semana que viene, [sobre las dos|hacia la una y media]?',
      ],
      [
        'Podríamos hablar de {project}, o simplemente [ponernos al día|charlar un rato].',
        'También me gustaría saber cómo va {project}.',
        'Yo [reservo|me encargo de] la mesa, dime solo qué te gusta.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[Qué buena idea|Me encantaría], el {day} me va [bien|muy bien|perfecto].',
            '[Con mucho gusto|Claro que sí], el {day} al mediodía no tengo nada todavía.',
          ],
          [
            '¿Quedamos a [las dos|la una y media] delante de vuestra oficina?',
            'Como [de todo|casi de todo], así que elige el sitio que más te guste.',
          ],
        ],
        closing: [
          [
            '[Estupendo|Qué bien], reservo una mesa [y te mando la dirección|para los dos]. Nos vemos el {day}, me hace [mucha|muchísima] ilusión.',
            'Perfecto, yo me ocupo de la mesa. Paso a buscarte el {day} por [recepción|la entrada].',
          ],
        ],
      },
      {
        reply: [
          [
            'Gracias por [pensar en mí|la invitación], pero el {day} estoy [de viaje|fuera de la oficina|con un cliente].',
            'Me habría gustado, pero el {day} [ya tengo un compromiso|tengo una reunión tras otra].',
          ],
          [
            '¿Podríamos dejarlo para la semana siguiente? Tendré la agenda mucho más [tranquila|despejada].',
            '¿Qué tal [un café|una comida] la semana siguiente? Me va bien [cualquier día|casi cualquier día].',
          ],
        ],
        closing: [
          [
            'No hay problema, lo dejamos para la semana siguiente. Te propondré dos o tres días [a principios de semana|con tiempo].',
            '[Claro|Por supuesto], la semana siguiente me va igual de bien. Te escribo en cuanto sepa mis horarios.',
          ],
        ],
      },
    ],
  },
  {
    name: 'travel',
    subjects: [
      '[Viaje|Nuestro viaje] a {city}',
      '{city} [la semana que viene|el {day}]',
      '[Plan|Planes] para el viaje a {city}',
    ],
    opening: [
      [
        'Estoy [preparando|planeando] [el|nuestro] viaje a {city} de la semana que viene.',
        'El {day} de la semana que viene nos esperan en {city}, y me gustaría organizar el viaje.',
        'La [visita|reunión] en {city} del {day} de la semana que viene ya está confirmada.',
      ],
      [
        'Yo [cogería|tomaría] el tren [por la mañana|sobre las ocho], así llegamos [con tiempo|sin prisas].',
        'En tren se tarda [algo más de|unas] dos horas, y podríamos preparar la reunión por el camino.',
        'Había pensado en salir la tarde anterior, para [empezar el día con calma|no madrugar tanto].',
      ],
      [
        '¿Quieres que te reserve [también |]un asiento?',
        '¿Viajamos juntos, o vienes [por tu cuenta|desde otro sitio]?',
        '¿Te va bien así, o prefieres ir en coche?',
      ],
    ],
    answers: [
      {
        reply: [
          ['[Sí, por favor|Qué bien], viajemos juntos.', '[Buena idea|Buen plan], [me apunto|voy contigo].'],
          [
            'Un asiento [de ventana|con mesa] sería [ideal|perfecto], así repasamos las diapositivas de {project} por el camino.',
            'Llevaré los documentos de {project}, así podemos [repasarlos|mirarlos] en el tren.',
          ],
        ],
        closing: [
          [
            '[Perfecto|Estupendo], he reservado dos asientos juntos. Te mando los [horarios|detalles] [esta noche|más tarde].',
            'Muy bien, saco los billetes para los dos. Nos vemos [en el andén|en la entrada principal] diez minutos antes de salir.',
          ],
        ],
      },
      {
        reply: [
          [
            'Gracias por [preguntar|pensar en mí], pero [esta vez |]iré en coche.',
            'Te lo agradezco, pero ya estaré [por la zona|allí] el día anterior.',
          ],
          [
            '¿Nos vemos [media hora|veinte minutos] antes [en la entrada|en el vestíbulo] y repasamos los puntos principales?',
            'Podríamos tomar un café antes de la reunión y repasar nuestra parte.',
          ],
        ],
        closing: [
          [
            '[Claro|Buena idea], nos vemos allí media hora antes. Llevaré un [breve |]orden del día para los dos.',
            'Me parece [bien|muy bien]. Llegaré un poco antes y buscaré un rincón tranquilo.',
          ],
        ],
      },
    ],
  },
  {
    name: 'weekend-event',
    subjects: ['[Un|Algún] plan para el sábado', 'El sábado en {city}', '¿Vienes a {city} el sábado?'],
    opening: [
      [
        'El próximo sábado hay [una pequeña feria|una jornada de puertas abiertas|un congreso] en {city} que podría interesarte.',
        'Varios de nosotros vamos el próximo sábado a [la feria|la jornada de puertas abiertas] de {city}.',
        '¿Has oído hablar de [la feria|la jornada] del próximo sábado en {city}?',
      ],
      [
        'Por la mañana hay [buenas|algunas] charlas, y una de ellas encaja [muy bien|bien] con {project}.',
        'El programa es [variado|interesante], y habrá [bastante|mucha] gente del sector.',
        'El año pasado el ambiente fue muy [agradable|relajado], y conocí a gente [interesante|estupenda].',
      ],
      [
        '¿Te vienes? Salimos [sobre las nueve|a las ocho y media].',
        '¿Te apetece? Queda un sitio en el coche.',
        '¿Te [apunto|pongo en la lista]? También puede venir la familia.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Suena [muy bien|a un buen día], [cuenta conmigo|me apunto].',
            '[Qué casualidad|Qué coincidencia], justo estaba pensando en ir.',
          ],
          [
            'Yo voy por mi cuenta y os veo en la entrada [sobre|a] las diez.',
            'Si queda [algún|un] sitio en el coche, [lo aprovecho|voy con vosotros] con mucho gusto.',
          ],
        ],
        closing: [
          [
            '[Qué bien|Estupendo], entonces somos [cuatro|cinco]. El viernes mando a todos un mensaje con [los horarios|el punto de encuentro].',
            'Muy bien, ya está apuntado. Será un buen día, y seguro que encontramos un rato para un café.',
          ],
        ],
      },
      {
        reply: [
          [
            'Suena bien, pero el sábado [tenemos visita de la familia|ya tenemos planes].',
            'El sábado no puedo, [mi hermana se muda|celebramos un cumpleaños].',
          ],
          [
            '¿Me traes [el programa|algún folleto], o me cuentas [el lunes|después] qué fue lo más interesante?',
            'Cuéntame [todo|qué tal] la semana que viene, me interesa mucho.',
          ],
        ],
        closing: [
          [
            '[Qué pena|Qué lástima], pero lo entiendo [perfectamente|muy bien]. Tomaré notas y te cuento [el lunes|la semana que viene].',
            'No pasa nada, quizá el año que viene. Te traeré lo que me parezca [útil|interesante].',
          ],
        ],
      },
    ],
  },
  {
    name: 'thank-you',
    subjects: [
      'Gracias [otra vez|de nuevo]',
      'Un [breve|pequeño] agradecimiento',
      'Gracias, [fue muy útil|nos ayudó mucho]',
    ],
    opening: [
      [
        'Solo quería darte las gracias por tu [ayuda|apoyo] con {project}.',
        'Gracias otra vez por [tu tiempo|la charla|la visita] en {city}.',
        'Fue una [reunión|conversación] muy [agradable|útil] sobre {project}, muchas gracias.',
      ],
      [
        'Tus [ideas|notas] ya nos han ayudado [mucho|bastante], y el [primer|próximo] borrador está casi listo.',
        'Al equipo le han gustado mucho tus [sugerencias|consejos], y los estamos probando [esta semana|ahora mismo].',
        'He compartido tus [notas|reflexiones] con el equipo, y a todos les han parecido muy útiles.',
      ],
      [
        'Si alguna vez puedo hacer algo por ti, [dímelo|aquí me tienes].',
        'Sigamos en contacto, quizá con [una llamada|un café] [el mes que viene|dentro de unas semanas].',
        'Ya te [contaré|diré] [cómo sigue|en qué queda].',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[De nada|Ha sido un placer], da gusto trabajar con todos vosotros.',
            'Gracias por [tus palabras|el mensaje], me alegra haber ayudado.',
          ],
          [
            'Tengo ganas de ver el resultado, así que [mándamelo cuando puedas|tenme al corriente].',
            'A mí también me gustó, así que [cuéntame|dime] cómo sigue todo.',
          ],
        ],
        closing: [
          [
            'Así lo haré. Tendrás la [primera|próxima] versión en cuanto esté presentable, y tu opinión [sincera |]siempre es bienvenida.',
            'Me alegro [mucho|de leerlo]. Busquemos una fecha para [un café|una llamada] dentro de [dos o tres|unas] semanas.',
          ],
        ],
      },
      {
        reply: [
          [
            'Gracias por escribir, [me ha alegrado el día|es un detalle].',
            'Qué [amable|bonito] por tu parte, se lo diré a los demás.',
          ],
          [
            'Se me olvidó decirte una cosa: [empezad poco a poco|hacedlo sencillo] y pedid pronto opiniones. Puedo [mandarte|buscarte] nuestras notas sobre eso.',
            'Si quieres, te [busco|mando] [nuestra lista|las notas] de [un proyecto parecido|el año pasado].',
          ],
        ],
        closing: [
          [
            'Gracias, eso nos [ayuda|ayudará] mucho. Lo comentaré en la próxima reunión y te diré qué opinan los demás.',
            'Sí, sería [muy útil|de gran ayuda], gracias. No corre prisa, la semana que viene está bien.',
          ],
        ],
      },
    ],
  },
];
