import { type Details, type Frame, type Slot } from '../vocabulary';

export const details: Details = {
  day: ['lunedì', 'martedì', 'mercoledì', 'giovedì', 'venerdì'],
  time: ['9:30', '10:00', '10:30', '11:00', '14:00', '14:30', '15:00', '15:30'],
  project: ['Atlante', 'Orizzonte', 'Nova', 'Orione', 'Bussola', 'Meridiano', 'Faro', 'Delta'],
  city: ['Bologna', 'Torino', 'Verona', 'Firenze', 'Padova', 'Bergamo', 'Parma', 'Lugano'],
};

export const frame: Frame = {
  goesOnAfterComma: true,
  noon: 13,
  evening: 17,
  greetings: {
    always: ['Ciao {name},', 'Ciao {name}!'],
    morning: ['Buongiorno {name},', 'Buongiorno {name}!'],
    afternoon: ['Buon pomeriggio {name},', 'Ciao {name},'],
    evening: ['Buonasera {name},', 'Buonasera {name}!'],
  },
  wishes: {
    always: [
      'spero che [tu stia bene|vada tutto bene|sia tutto a posto].',
      'spero che [da te|da voi] vada tutto bene.',
      'come stai? Qui [tutto bene|tutto come al solito].',
    ],
    monday: ['spero che tu abbia passato un [bel|buon] fine settimana.', 'spero che la settimana sia iniziata bene.'],
    midweek: ['spero che la settimana [proceda|stia andando] bene.', 'spero che tu stia passando una buona settimana.'],
    friday: ['spero che sia stata una [buona|bella] settimana.', 'la settimana è volata, vero?'],
  },
  farewells: {
    always: ['[Buona|Bella] giornata!', 'Ti auguro una [buona|bella] giornata!', 'A presto!'],
    monday: ['Buona settimana!', 'Buon inizio di settimana!'],
    midweek: ['Buon proseguimento di settimana!', 'Buon resto della settimana!'],
    friday: ['Buon fine settimana!', 'Ti auguro un [buon|bel] fine settimana!'],
  },
  signOffs: [
    'Un saluto,',
    'Cari saluti,',
    'Un caro saluto,',
    'Cordiali saluti,',
    'Con un caro saluto,',
    'Tanti saluti,',
    'Un cordiale saluto,',
  ],
};

export const lastWords: readonly Slot[] = [
  [
    '[perfetto|benissimo|ottimo], allora per me è tutto [chiaro|a posto].',
    'mi fa piacere, allora abbiamo [tutto|tutto quello che serve].',
    'così va [bene|benissimo], grazie per [la risposta veloce|il messaggio].',
  ],
  [
    'Se [nel frattempo|intanto] salta fuori [qualcos’altro|altro], [scrivimi pure|fammelo sapere].',
    'Se cambia qualcosa o ti serve altro, [scrivimi|basta un messaggio].',
    'Mi trovi qui [quando vuoi|in qualsiasi momento] se resta qualcosa da chiarire.',
  ],
  [
    'Nel frattempo [buon lavoro|in bocca al lupo] con {project}!',
    'Faccio il tifo per {project}[ nel frattempo| intanto|].',
    '[Saluti|Un saluto] a [tutto il gruppo|tutti] di {project}!',
  ],
];

export const partingWords: readonly Slot[] = [
  [
    'grazie, [è bello saperlo|lo terrò presente|è molto gentile da parte tua].',
    '[va bene|d’accordo], grazie per [le belle parole|il messaggio|la bella collaborazione].',
  ],
  [
    'Ti [scrivo di nuovo|riscrivo] appena c’è qualche novità su {project}.',
    'Appena {project} fa un passo avanti, [avrai mie notizie|ti mando un breve messaggio].',
    'Per il resto ci sentiamo [al più tardi|di sicuro] quando {project} fa il prossimo passo.',
  ],
];
