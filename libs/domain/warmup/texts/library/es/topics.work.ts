import { type Topic } from '../vocabulary';

export const work: readonly Topic[] = [
  {
    name: 'document-review',
    subjects: [
      '[Borrador|Primer borrador|Nuevo borrador] de {project}',
      'Tu opinión sobre el documento de {project}',
      '{project}: documento para revisar',
    ],
    opening: [
      [
        'El [primer|nuevo|segundo] borrador de {project} ya está [listo|terminado].',
        'He [terminado|rehecho] el documento de {project} del que hablamos.',
        'Mi versión del documento de {project} está [ya|por fin] en la carpeta compartida.',
      ],
      [
        'Antes de enviarlo a los demás me gustaría conocer tu opinión, sobre todo de la [segunda|tercera] parte.',
        'Otro par de ojos [vendría bien|ayudaría], en especial para [la introducción|la parte central].',
        '[La introducción|El final] todavía no me convence, quizá tengas una idea [mejor|].',
      ],
      [
        '¿Podrías [leerlo|mirarlo] antes del {day}?',
        'Si encuentras [media hora|veinte minutos] antes del {day}, te lo agradecería [mucho|].',
        'Los comentarios en [el margen|el texto] me van bien, cuando quieras antes del {day}.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Acabo de leerlo y está [claro|bien escrito|muy bien explicado].',
            '[Buen trabajo|Muy buen trabajo], lo he leído [esta mañana|con un café] y solo tengo [algunos|unos pequeños] comentarios.',
          ],
          [
            'En la [segunda|tercera] parte pondría primero [el ejemplo|la tabla], y el final podría ser algo más corto.',
            'La introducción podría decir antes [de qué se trata|para quién es], por lo demás lo dejaría así.',
          ],
        ],
        closing: [
          [
            'Gracias, son [buenos|muy buenos] puntos. Incorporo tus comentarios [hoy|mañana] y envío el documento a todos el {day}.',
            'Eso me ayuda [mucho|de verdad], gracias. Lo cambio y dejo la versión [final|limpia] en la carpeta.',
          ],
        ],
      },
      {
        reply: [
          [
            '[Claro|Por supuesto], pero no podré hasta el {day} por la [tarde|noche].',
            'Lo leo con gusto, pero será el {day} por la tarde cuando encuentre un rato.',
          ],
          [
            '¿Llega a tiempo para ti? Si no, quizá alguien del equipo pueda ir empezando.',
            'Si lo necesitas antes, dime qué [dos|tres] páginas importan más y leo esas primero.',
          ],
        ],
        closing: [
          [
            'El {day} está [muy bien|perfecto], tómate tu tiempo. La [primera|segunda] parte es la más importante, el resto ya lo conoces.',
            'Llega de sobra, gracias. Espero tus comentarios y mientras tanto [reviso|compruebo] las cifras.',
          ],
        ],
      },
    ],
  },
  {
    name: 'project-status',
    subjects: ['{project}: ¿cómo vamos?', '[Estado|Breve estado|Novedades] de {project}', '{project} antes del {day}'],
    opening: [
      [
        'Para la reunión del {day} estoy [reuniendo|preparando] el estado de {project}.',
        'El {day} hablamos de {project} en la reunión [semanal|de todo el equipo].',
        'Estoy [actualizando|escribiendo] el resumen de {project}.',
      ],
      [
        'Por nuestra parte el diseño está [listo|terminado], y las pruebas van [por la mitad|muy avanzadas].',
        'Vamos [más o menos|en general] según el plan, solo la [traducción|documentación] tarda un poco más.',
        'La lista de puntos pendientes es mucho más corta, solo quedan [tres|cuatro].',
      ],
      [
        '¿Cómo vais [vosotros|por vuestra parte]?',
        '¿Podrías escribirme dos o tres frases sobre vuestra parte?',
        '¿Hay algo que os [frene|bloquee] o en lo que podamos ayudar?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Por nuestra parte todo va [según el plan|bien].',
            'Buenas noticias, vamos incluso [un poco|algo] por delante del calendario.',
          ],
          [
            'La [primera|segunda] parte está [probada|terminada], y el resto llega [antes del {day}|esta semana].',
            'Hemos cerrado [dos|tres] puntos grandes [esta semana|estos días], y nada nos frena.',
            'Solo falta [el manual|un visto bueno], y debería llegar antes del {day}.',
          ],
        ],
        closing: [
          [
            'Suena [muy bien|estupendo], gracias. Lo paso tal cual al resumen y te lo enseño antes del {day}.',
            '[Perfecto|Estupendo], no necesito más. Dale las gracias de mi parte a todo el equipo.',
          ],
        ],
      },
      {
        reply: [
          [
            'Llevamos unos días de retraso, la semana pasada faltaron dos compañeros.',
            'Avanzamos, pero [más despacio|algo más lento] de lo previsto.',
          ],
          [
            'Vendría bien revisar juntos el orden de las tareas [antes del {day}|esta semana].',
            'Si la revisión pudiera ser [uno o dos días|un poco] más tarde, llegaríamos [sin agobios|bien].',
          ],
        ],
        closing: [
          [
            'Gracias por decirlo [con tiempo|tan claro]. Podemos mover las fechas [un poco|unos días], te llamo y repasamos la lista.',
            'No hay problema, [dos|unos] días más no importan. Lo apunto en el resumen y busco un hueco para los dos.',
          ],
        ],
      },
    ],
  },
  {
    name: 'supplier',
    subjects: [
      '[Nuevo|Otro] proveedor para {project}',
      'Tu experiencia con proveedores en {city}',
      'Proveedores en {city}',
    ],
    opening: [
      [
        'Buscamos un [nuevo|segundo] proveedor para [los impresos|los embalajes|los muebles] de {project}.',
        'Nuestro proveedor de [embalajes|impresos] cierra su taller de {city} a finales de año.',
        'Para {project} necesitamos un proveedor [fiable|serio] cerca de {city}.',
      ],
      [
        'Tú trabajaste allí con alguien [el año pasado|hace un tiempo], si no recuerdo mal.',
        'Me han dicho que estáis muy a gusto con el vuestro.',
        'Para nosotros cuentan más el buen trabajo y los plazos que un catálogo grande.',
      ],
      [
        '¿Podrías [recomendarnos|decirnos] alguno o darme un contacto?',
        '¿Qué impresión tuviste, y con quién conviene hablar?',
        '¿Tendrías diez minutos [esta semana|el {day}] para contármelo?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Sí, trabajamos desde hace [tres|varios] años con una [pequeña |]empresa familiar cerca de {city}.',
            'Con el nuestro estamos [realmente|muy] a gusto, es una pequeña empresa cerca de {city}.',
          ],
          [
            'Cumplen los plazos, y si algo falla siempre hay alguien al teléfono.',
            'Son amables y serios, solo hay que pedir con tiempo [en verano|antes de las fiestas].',
          ],
          ['Te mando el contacto [esta tarde|mañana].', 'Di [simplemente |]que [nos conoces|vienes de nuestra parte].'],
        ],
        closing: [
          [
            'Es justo lo que buscamos, gracias. Los llamo [esta semana|el {day}] y te cuento qué tal.',
            '[Perfecto|Estupendo], gracias por la recomendación. Concertaré una visita y les daré recuerdos tuyos.',
          ],
        ],
      },
      {
        reply: [
          [
            'Ya no trabajamos con ellos, nos quedaban demasiado lejos.',
            'Siendo sinceros, la impresión fue regular: buen trabajo, pero [a menudo|casi siempre] una semana tarde.',
          ],
          [
            'Puedo preguntar a la gente de nuestro almacén, que conoció a otros dos [el mes pasado|en una feria].',
            'Puedo preguntar el {day}, seguro que alguien conoce una dirección mejor.',
          ],
        ],
        closing: [
          [
            'Gracias por la sinceridad, eso nos ahorra [muchos|algunos] problemas. Sería estupendo que preguntaras cuando tengas un momento.',
            'Es bueno saberlo. Espero a que sepas algo, todavía tenemos [unas|varias] semanas.',
          ],
        ],
      },
    ],
  },
  {
    name: 'training',
    subjects: [
      '[Curso|Taller] [en {city}|del {day}]',
      '[Dos plazas|Plazas] en el [curso|taller]',
      'Un [curso|taller] que podría interesarte',
    ],
    opening: [
      [
        'El {day} de la semana que viene organizamos un taller [de un día|de medio día][ en {city}|].',
        'El {day} de la semana que viene hay en {city} un curso sobre [presentaciones|gestión de proyectos|redacción].',
        'Nuestro departamento tiene el {day} de la semana que viene un curso sobre [moderación|trabajo en equipo].',
      ],
      [
        'Quedan dos plazas, y he pensado [enseguida |]en [ti|tu equipo].',
        'Quien lo imparte es excelente, hice uno de sus cursos [el año pasado|hace tiempo].',
        'Empieza a las {time} y es muy práctico, [con muchos ejercicios|sin largas diapositivas].',
      ],
      [
        '¿Te gustaría participar[, a ti o a alguien de tu equipo|]?',
        '¿Te interesa, o quizá a alguien que acaba de llegar?',
        'Dime [mañana|en los próximos días] si guardo una plaza.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Sí, me gustaría [mucho|mucho ir], guárdame una plaza.',
            'Gracias por pensar en mí, [me apunto|iré con mucho gusto].',
          ],
          [
            '¿Tengo que [preparar|llevar] algo, o basta con un cuaderno?',
            '¿Hay algo que leer antes, y en qué sala es?',
          ],
        ],
        closing: [
          [
            'Ya estás en la lista, [estupendo|perfecto]. Basta con un cuaderno, y el día antes te envío la sala.',
            'Ya te he apuntado, no hay nada que preparar. La sala está [en la segunda planta|junto a la cafetería], y habrá café.',
          ],
        ],
      },
      {
        reply: [
          [
            'El {day} yo no puedo, pero alguien de mi equipo preguntaba justo por [eso|algo así].',
            'No es buena semana para mí, pero a alguien nuevo en el equipo le vendría [muy |]bien.',
          ],
          [
            '¿Puedes guardar la plaza hasta mañana? Lo pregunto [ahora mismo|hoy].',
            '¿Puedo reenviar tu mensaje, y me guardas la plaza [hasta mañana|mientras tanto]?',
          ],
        ],
        closing: [
          [
            'Claro, guardo la plaza [dos días|hasta pasado mañana]. Solo me hará falta el nombre para la lista.',
            'Sí, [adelante|sin problema]. Las preguntas pueden llegarme directamente, y la plaza queda reservada.',
          ],
        ],
      },
    ],
  },
  {
    name: 'onboarding',
    subjects: [
      'Refuerzo para {project}',
      'Primera semana en el equipo',
      '[Presentación|Una breve presentación] el {day}',
    ],
    opening: [
      [
        'El próximo {day} se incorpora alguien a nuestro equipo y se ocupará de una parte de {project}.',
        'Ya hemos cubierto el puesto: una persona nueva empieza el próximo {day}.',
        'Nuestro refuerzo para {project} empieza el próximo {day}.',
      ],
      [
        'Estaría bien que os conocierais [pronto|desde el principio].',
        'Estoy preparando el programa de la primera semana y me gustaría [mucho |]contar contigo.',
        'Tú conoces los comienzos del proyecto mejor que [nadie|la mayoría].',
      ],
      [
        '¿Tendrías [media hora|treinta minutos] a las {time} para una [breve |]presentación?',
        '¿Podrías enseñar cómo trabaja tu equipo, por ejemplo a las {time}?',
        '¿Podrías [pasarte|unirte] a las {time} y contar un poco de [tu equipo|vuestra parte]?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[Con mucho gusto|Por supuesto], el {day} tengo [tiempo|media hora].',
            'Me alegro de que hayáis encontrado a alguien, ayudo con mucho gusto.',
          ],
          [
            'Enseñaré los [primeros|principales] pasos y dejaré tiempo para las preguntas.',
            'Hay una página con las preguntas más frecuentes, te la mando [antes|hoy].',
          ],
        ],
        closing: [
          [
            'Muy amable, gracias. Te apunto para el {day} a las {time} y mando la invitación.',
            'Perfecto, gracias por tomarte el tiempo. Lo añado al programa del {day}, y yo llevo el café.',
          ],
        ],
      },
      {
        reply: [
          [
            'Me gustaría, pero esa semana estoy fuera [casi todos los días|la mayor parte del tiempo].',
            'Es buena idea, pero esa semana la tengo [muy|bastante] llena.',
          ],
          [
            '¿Podríamos hacer [una llamada|una videollamada], o vernos una semana después?',
            'La presentación podría hacerla alguien de mi equipo, y yo me sumo [más tarde|la segunda semana].',
          ],
        ],
        closing: [
          [
            '[Claro|Por supuesto], así también está bien. Lo planifico de ese modo y te mando el nuevo programa [mañana|pronto].',
            'Buena propuesta, hagámoslo así. Al principio hay mucho que leer, así que un poco más tarde es incluso mejor.',
          ],
        ],
      },
    ],
  },
  {
    name: 'tool-question',
    subjects: [
      '[Pregunta|Una pregunta|Duda] sobre la herramienta de planificación',
      '¿Cómo lo hacéis en la herramienta de planificación?',
      'Una [pequeña |]ayuda con el planificador',
    ],
    opening: [
      [
        'Tú conoces bien nuestra herramienta de planificación, quizá puedas ayudarme [un momento|].',
        'Estoy preparando el tablero de {project} y no avanzo.',
        'Desde la última actualización la vista de {project} se ve [distinta|rara] en mi pantalla.',
      ],
      [
        'Cuando [muevo|copio] una tarea a la semana siguiente, desaparecen los comentarios.',
        'No encuentro el ajuste con el que todo el equipo ve la misma lista.',
        'La lista solo muestra mis [propias |]tareas, y faltan las de los demás.',
      ],
      [
        '¿Te ha pasado [alguna vez|también]?',
        '¿Cómo lo hacéis en tu equipo?',
        '¿Podrías [enseñármelo|explicármelo] en cinco minutos el {day}?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Sí, me suena, a mí [también|hace poco también] me pasó.',
            'Es [bastante |]sencillo, aunque a mí también me costó encontrarlo.',
          ],
          [
            'Abre el menú de arriba a la derecha, elige los ajustes y cambia la vista a [equipo|todos].',
            'Hay que cerrar el tablero una vez, volver a abrirlo y elegir la vista común[ a la izquierda|].',
          ],
          ['Si [aun así|todavía] no funciona, llámame [sin problema|].', 'Dime si ha funcionado.'],
        ],
        closing: [
          [
            '¡Era eso, muchas gracias! Habría buscado una hora más, lo apunto para los demás.',
            '[Perfecto|Estupendo], ya funciona otra vez. Gracias por la ayuda tan rápida, te debo un café.',
          ],
        ],
      },
      {
        reply: [
          [
            'No lo había visto todavía, parece un cambio de la última actualización.',
            'Qué [raro|curioso], a mí me sale igual que [antes|siempre].',
          ],
          [
            'Pregunto a nuestro equipo de informática y te digo algo [antes del {day}|mañana].',
            'El {day} tengo un rato, podemos mirarlo juntos.',
          ],
        ],
        closing: [
          [
            'Sería [realmente estupendo|de gran ayuda], muchas gracias. No corre prisa, hasta entonces trabajo con [la lista antigua|una lista sencilla].',
            'Gracias por [mirarlo|tu ayuda], yo ya no sabía cómo seguir. Hasta entonces lo dejo todo [así|como está ahora].',
          ],
        ],
      },
    ],
  },
];
