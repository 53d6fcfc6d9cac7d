import { type LabelRules } from './label.rules';

const DAY =
  'lunes|martes|miercoles|jueves|viernes|sabado|domingo|manana|hoy|(?:la )?(?:proxima semana|semana que viene)|esta semana';
const TIME = '(?:a las? )\\d{1,2}(?::\\d\\d)?|\\d{1,2}:\\d\\d|por la (?:manana|tarde)';
const MATERIAL =
  'info|informacion|detalles|propuesta|precios?|presupuesto|folleto|presentacion|enlace|link|cotizacion|catalogo|ejemplos?|invitacion|tarifas?|oferta|demo|documentacion|material';

export const SPANISH: LabelRules = {
  language: 'es',
  negation: 'no|ni|nunca|sin|ningun|ninguna|tampoco|jamas',
  phrases: {
    shield: [
      [
        'no-objection',
        'no hay (?:problema|inconveniente)|por que no|no (?:dude|dudes|duden)|sin problema|no solo|no me importa',
      ],
      ['if-interested', '(?:si|en caso de que|cuando)(?: \\p{L}{1,12}){0,4} (?:interes|necesit)[^.!?]{0,40}'],
      [
        'asks-interest',
        '(?:esta|estas|estaria|estarias|estan) (?:usted |ustedes )?(?:interesad)[^.!?]{0,30}|(?:le|te|les) interesa',
      ],
    ],
    'opt-out': [
      [
        'off-the-list',
        '(?:elimin|borr|quit|sac|remuev|retir|suprim|exclu)\\p{L}{0,3}(?:me|nos|en|an|ar|e|an?)?(?:me|nos)?(?: (?:mi|nuestro|nuestra|mis|este|el))?(?: \\p{L}{1,12}){0,3} (?:de|del) (?:\\p{L}{1,10} ){0,2}(?:lista|base|listado|mailing|registro|correos|contactos|newsletter)\\p{L}?|(?:dar|darme|darnos|deme|denme|dame|den|dar me)(?: \\p{L}{1,8})? de baja|(?:solicito|quiero|deseo|pido|favor de)(?: \\p{L}{1,10}){0,3} baja(?!\\p{L})|^(?:por favor,? )?(?:baja|darme de baja|dar de baja|cancelar suscripcion|desuscribir(?:me)?|stop)[.! ]*$|(?:cancelar|anular|cancelen|cancele)(?: \\p{L}{1,10}){0,2} suscripcion|desuscri\\p{L}{2,6}|(?:quit|sac|elimin|borr)(?:e|en|a|ar)(?:me|nos)(?!\\p{L})',
      ],
      [
        'stop-writing',
        '(?:no|nunca)(?: (?:me|nos|quiero|queremos|deseo|deseamos|vuelv\\p{L}{1,4}|sigan?|mas))*(?: a)? (?:me |nos )?(?:env|escrib|contact|mand|recib|molest|llam)\\p{L}{1,7}(?:me|nos)?(?: \\p{L}{1,10}){0,3}(?: mas| correos?| e-?mails?| mensajes?| publicidad| informacion| nuevamente| de nuevo)|(?:dej|par)\\p{L}{1,3} de (?:env|escrib|contact|mand|molest|llam)\\p{L}{1,6}|no (?:mas|enviar mas) (?:correos?|e-?mails?|mensajes?|spam)',
      ],
      [
        'data-erasure',
        '(?:elimin|borr|suprim|cancel)\\p{L}{1,6}(?: \\p{L}{1,10}){0,3} (?:datos|informacion personal)|rgpd|proteccion de datos|derecho (?:al olvido|de supresion|de oposicion)|lopd',
      ],
    ],
    refusal: [
      [
        'not-interested',
        '(?:no|ni|nunca|tampoco|sin|ningun|poco)(?: \\p{L}{1,12}){0,4} (?:interes\\p{L}{0,5})(?!\\p{L})',
      ],
      [
        'declines',
        '(?<!\\p{L})no,? (?:muchas )?gracias|gracias,? pero|^(?:hola[^.!,]{0,20}[,.!] ?)?no[.! ]*$|(?:declin|rechaz)\\p{L}{1,5}|(?:paso|pasamos)(?:[.,]|$)|(?:lo siento|lamento|lamentablemente)[^.!?]{0,30} no(?!\\p{L})',
      ],
      [
        'no-need',
        'no(?: \\p{L}{1,12}){0,3} (?:necesit\\p{L}{1,5}|requer\\p{L}{1,6}|buscamos|busco|buscando|precis\\p{L}{1,5}|aplica|encaja|es relevante|nos sirve|es (?:para|lo que)|es una prioridad|corresponde|hace falta)',
      ],
      [
        'has-a-solution',
        '(?:ya|actualmente)(?: \\p{L}{1,12}){0,3} (?:tenemos|tengo|contamos|cuento|trabajamos|trabajo|usamos|utilizamos|disponemos|cubiert\\p{L}{1,3}|proveedor|solucion)|(?:content|satisfech)\\p{L}{1,3} con (?:nuestro|lo que|el|la)',
      ],
      ['no-budget', '(?:no|sin)(?: \\p{L}{1,12}){0,3} (?:presupuesto|recursos|dinero)|(?:demasiado|muy) caro'],
      [
        'decided-against',
        'decidi(?:mos|do)(?: \\p{L}{1,12}){0,3} (?:no|otro|otra)|no (?:vamos|voy|seguiremos|continuaremos|avanzaremos)(?: \\p{L}{1,10}){0,2} (?:avanzar|continuar|seguir|contratar|comprar)',
      ],
      ['hostile', 'dejen? de molestar|(?:esto )?es (?:un )?spam|perdida de tiempo|dejeme en paz|dejenme en paz|estafa'],
    ],
    referral: [
      [
        'names-another',
        '(?:contact|habl|escrib|dirij|comuni|pong|consult)\\p{L}{1,6}(?:se|te)?(?: \\p{L}{1,10}){0,3} (?:con|a) (?:mi|nuestr[oa]|el|la|los|las|sr|sra|\\S{1,40}@)|(?:la )?persona (?:indicada|adecuada|encargada|responsable|correcta)(?: \\p{L}{1,8}){0,3} es|(?:he |lo |la |le )?(?:reenvi|remiti|pase|paso|compart|traslad)\\p{L}{0,5}(?: \\p{L}{1,10}){0,4} (?:a mi|al|a la|a nuestr|con mi|con el)',
      ],
    ],
    'wrong-person': [
      [
        'wrong-person',
        'no (?:soy|somos|es)(?: \\p{L}{1,10}){0,3} (?:persona|encargad|responsable|indicad|adecuad|contacto|area|departamento)\\p{L}{0,3}|(?:persona|contacto|direccion|departamento) (?:equivocad|incorrect)\\p{L}{1,2}|no me (?:encargo|ocupo)',
      ],
      ['left-the-company', '(?:ya )?no (?:trabaj|labor|estoy en la empresa|pertenez)\\p{L}{0,5}|deje la empresa|jubil'],
    ],
    later: [
      [
        'not-now',
        '(?:no )?(?:por ahora|de momento|por el momento|en este momento|actualmente|ahora mismo|todavia|aun) no|no (?:por ahora|de momento|por el momento|en este momento|ahora|todavia|es (?:el|un) (?:buen )?momento|este ano)|mal momento|mas adelante',
      ],
      [
        'another-time',
        '(?:contact|escrib|llam|habl|retom|volv|vuelv|busc)\\p{L}{1,7}[^.!?]{0,30}(?:proximo|mes|meses|ano|trimestre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|mas tarde|despues|verano|otono|semanas)|(?:tendre|tendremos|tengo)(?: \\p{L}{1,8}){0,2} en cuenta',
      ],
    ],
    interest: [
      [
        'interested',
        '(?:estoy|estamos|estaria|estariamos|muy|si)(?: \\p{L}{1,10}){0,2} interesad\\p{L}{1,2}|(?:me|nos) (?:interesa|interesaria|gustaria|encantaria)(?!\\p{L})|(?:tengo|tenemos|tendria)(?: \\p{L}{1,8}){0,2} interes|me llama la atencion',
      ],
      [
        'sounds-good',
        '(?:suena|parece|se ve|luce)(?: \\p{L}{1,10}){0,2} (?:bien|interesante|genial|perfecto|excelente|buena idea|estupendo|fantastico)|(?:me|nos) parece|buena idea',
      ],
      [
        'agrees-to-talk',
        '(?:hablemos|conversemos|charlemos|reunamonos|agendemos|coordinemos|programemos|veamonos|platiquemos)|(?:podemos|podriamos|puedo|podria|quiero|quisiera|queremos|quisieramos|encantad\\p{L}{1,2} de|dispuest\\p{L}{1,2} a|disponible para)(?: \\p{L}{1,8}){0,2} (?:hablar|conversar|charlar|reunir\\p{L}{0,3}|agendar|coordinar|programar|ver|saber|conocer|tener una|llamar)|(?:agend|program|concert|coordin)\\p{L}{1,4} una (?:llamada|reunion|cita|demo)',
      ],
      [
        'proposes-time',
        `(?:disponible|libre|puedo|podemos|podria|que tal|te parece|le parece|tengo tiempo|nos vemos)(?: [\\p{L}\\d:]{1,10}){0,4} (?:${DAY}|${TIME})|(?:${DAY}|${TIME})(?: [\\p{L}\\d:]{1,10}){0,5} (?:me (?:va|viene|queda|sirve)|nos (?:va|viene|queda)|estaria bien|seria|puedo|podria|perfecto|esta bien)|(?:cuando|que dia)(?: \\p{L}{1,8}){0,2} (?:puede|puedes|podria|tiene|le viene|te viene|disponib)`,
      ],
      [
        'asks-for-material',
        `(?:envi|mand|compart|facilit|pas|remit|hac\\p{L}{1,3} llegar)\\p{L}{0,5}(?:me|nos|le)?(?: \\p{L}{1,12}){0,6} (?:${MATERIAL})|mas (?:info|informacion|detalles|datos)|(?:saber|conocer) mas|cuenteme|cuentame|digame mas|dime mas`,
      ],
      [
        'telephone',
        '(?:llam|marc|contact)\\p{L}{1,5}(?: \\p{L}{1,8}){0,3} (?:al|a) ?(?:numero )?\\+?\\d|mi (?:numero|telefono|celular|movil|whatsapp)|llam[ea](?:me|nos)(?!\\p{L})',
      ],
      [
        'looks-forward',
        'si,? (?:por favor|claro|me|nos|estoy|estamos|podemos|gracias|encantad\\p{L}{1,2}|perfecto|adelante)|claro que si|por supuesto|quedo (?:a la espera|atent[oa])',
      ],
    ],
    'weak-interest': [
      [
        'agrees',
        '^(?:hola[^.!,]{0,20}[,.!] ?)?(?:si|ok|vale|claro|perfecto|de acuerdo|genial|estupendo|adelante|con gusto)(?: gracias| por favor)?[.! ]*$',
      ],
      ['mentions-interest', '(?<!\\p{L})interesante(?!\\p{L})'],
    ],
    question: [
      [
        'asks-who',
        'quien(?:es)? (?:es|eres|son)|(?:como|donde|de donde)(?: \\p{L}{1,8}){0,2} (?:obtuv|consigui|sac|tien)\\p{L}{1,5}|de que se trata',
      ],
      [
        'asks-price',
        'cuanto (?:cuesta|cuestan|vale|sale|seria)|(?:que|cual es)(?: \\p{L}{1,6}){0,2} (?:precio|costo|coste|tarifa)',
      ],
      [
        'asks-about',
        '(?:como|que|quien|donde|cuando|por que|cual\\p{L}{0,2}|puede\\p{L}?|podria\\p{L}?|tiene\\p{L}?|ofrece\\p{L}?|es|hay)(?: \\S{1,20}){1,25} ?\\?',
      ],
    ],
    thanks: [
      [
        'thanks-only',
        '^(?:hola[^.!,]{0,20}[,.!] ?)?(?:muchas |mil )?(?:gracias|recibido|enterado|anotado)(?: \\p{L}{1,12}){0,6}[.! ]*$',
      ],
    ],
  },
};
