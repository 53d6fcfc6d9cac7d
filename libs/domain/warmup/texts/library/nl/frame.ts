import { type Details, type Frame, type Slot } from '../vocabulary';

export const details: Details = {
  day: ['maandag', 'dinsdag', 'woensdag', 'donderdag', 'vrijdag'],
  time: ['9.30', '10.00', '10.30', '11.00', '14.00', '14.30', '15.00', '15.30'],
  project: ['Atlas', 'Horizon', 'Nova', 'Orion', 'Kompas', 'Meridiaan', 'Vuurtoren', 'Delta'],
  city: ['Utrecht', 'Rotterdam', 'Eindhoven', 'Gent', 'Groningen', 'Breda', 'Leuven', 'Arnhem'],
};

export const frame: Frame = {
  goesOnAfterComma: false,
  noon: 12,
  evening: 18,
  greetings: {
    always: ['Hallo {name},', 'Hoi {name},', 'Dag {name},'],
    morning: ['Goedemorgen {name},', 'Goeiemorgen {name},'],
    afternoon: ['Goedemiddag {name},'],
    evening: ['Goedenavond {name},'],
  },
  wishes: {
    always: ['Ik hoop dat het [goed|prima] met je gaat.', 'Ik hoop dat alles goed gaat [bij jou|daar].'],
    monday: ['Ik hoop dat je een [fijn|goed|rustig] weekend had.', 'Hopelijk ben je de week goed begonnen.'],
    midweek: ['Ik hoop dat je week [goed|lekker] loopt.', 'Hopelijk heb je [tot nu toe |]een goede week.'],
    friday: ['Ik hoop dat je een [goede|fijne] week had.', 'De week is [voorbijgevlogen|snel gegaan], vind je niet?'],
  },
  farewells: {
    always: ['[Fijne|Prettige] dag!', 'Tot [gauw|snel]!', 'We spreken elkaar!'],
    monday: ['[Fijne|Goede] week!', 'Een goede start van de week!'],
    midweek: ['Nog een [fijne|goede] week!', 'Succes met de rest van de week!'],
    friday: ['[Fijn|Prettig|Goed] weekend!', 'Alvast een [fijn|goed] weekend!'],
  },
  signOffs: [
    'Groeten,',
    'Met vriendelijke groet,',
    'Vriendelijke groeten,',
    'Hartelijke groet,',
    'Groetjes,',
    'Met hartelijke groet,',
    'Veel groeten,',
  ],
};

export const lastWords: readonly Slot[] = [
  [
    '[Prima|Mooi|Heel goed], dan is [wat mij betreft|van mijn kant] alles [geregeld|duidelijk].',
    'Fijn om te horen, dan hebben we [alles|alles wat nodig is] bij elkaar.',
    'Dat komt [goed|mooi] uit, bedankt voor [je snelle reactie|het berichtje].',
  ],
  [
    'Als er [intussen|tot die tijd] nog iets [opkomt|bij komt], [stuur me gerust een berichtje|laat het me gerust weten].',
    'Verandert er iets of heb je nog iets nodig, [mail me dan gewoon|laat het dan even weten].',
    'Je kunt me hier [altijd|gewoon] bereiken als er nog iets onduidelijk is.',
  ],
  [
    'Tot dan [veel succes|succes] met {project}!',
    'Ik duim [alvast |]voor {project}[ in de tussentijd|].',
    'Doe de groeten aan [het team|iedereen] van {project}!',
  ],
];

export const partingWords: readonly Slot[] = [
  [
    'Dank je, [dat is goed om te weten|dat zal ik onthouden|dat is erg aardig van je].',
    '[Doe ik|Dat doe ik], bedankt voor [je aardige woorden|je bericht|de fijne samenwerking].',
  ],
  [
    'Ik [laat weer van me horen|schrijf je weer] zodra er iets nieuws is over {project}.',
    'Zodra {project} een stap verder is, [hoor je weer van mij|krijg je een kort berichtje van me].',
    'Verder spreken we elkaar [uiterlijk|zeker] wanneer {project} een stap verder is.',
  ],
];
