import { type Details, type Frame, type Slot } from '../vocabulary';

export const details: Details = {
  day: ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag'],
  time: ['9:30', '10:00', '10:30', '11:00', '14:00', '14:30', '15:00', '15:30'],
  project: ['Atlas', 'Horizont', 'Nova', 'Orion', 'Kompass', 'Meridian', 'Leuchtturm', 'Delta'],
  city: ['Hamburg', 'Köln', 'Leipzig', 'Stuttgart', 'Hannover', 'Nürnberg', 'Bremen', 'Graz'],
};

export const frame: Frame = {
  goesOnAfterComma: true,
  noon: 11,
  evening: 18,
  greetings: {
    always: ['Hallo {name},', 'Hi {name},', 'Hallo {name}!'],
    morning: ['Guten Morgen {name},'],
    afternoon: ['Guten Tag {name},'],
    evening: ['Guten Abend {name},'],
  },
  wishes: {
    always: [
      'ich hoffe, es geht dir gut.',
      'ich hoffe, bei dir ist alles [in Ordnung|bestens|im grünen Bereich].',
      'wie geht es dir? [Hier ist alles beim Alten|Bei uns ist viel los, aber alles gut].',
    ],
    monday: [
      'ich hoffe, du hattest ein [schönes|erholsames|gutes] Wochenende.',
      'ich hoffe, du bist gut in die [neue |]Woche gestartet.',
    ],
    midweek: ['ich hoffe, deine Woche läuft [gut|rund|bisher gut].', 'ich hoffe, du hast [bisher |]eine gute Woche.'],
    friday: [
      'ich hoffe, du hattest eine [gute|schöne|erfolgreiche] Woche.',
      'die Woche [ging schnell vorbei|ist wie im Flug vergangen], oder?',
    ],
  },
  farewells: {
    always: ['Hab einen [schönen|guten] Tag!', 'Bis [bald|dann]!', 'Wir hören uns!'],
    monday: ['Hab einen guten Start in die Woche!', 'Hab eine [schöne|gute] Woche!'],
    midweek: ['Dir noch eine [schöne|gute] Woche!', 'Einen [schönen|guten] Rest der Woche!'],
    friday: ['Hab ein [schönes|erholsames|gutes] Wochenende!', 'Ein schönes Wochenende [dir|schon einmal]!'],
  },
  signOffs: [
    'Viele Grüße',
    'Beste Grüße',
    'Liebe Grüße',
    'Schöne Grüße',
    'Herzliche Grüße',
    'Mit besten Grüßen',
    'Einen lieben Gruß',
    'Mit lieben Grüßen',
  ],
};

export const lastWords: readonly Slot[] = [
  [
    '[wunderbar|prima|sehr schön], dann ist [von meiner Seite|bei mir] [alles|soweit alles] geklärt.',
    '[gut|schön] zu hören, dann haben wir ja [alles|alles Wichtige] beisammen.',
    'das passt so, [danke|vielen Dank] für die schnelle [Nachricht|Rückmeldung].',
  ],
  [
    'Falls [in der Zwischenzeit|bis dahin] noch etwas [auftaucht|dazukommt], [schreib mir einfach|gib mir einfach kurz Bescheid].',
    '[Melde dich|Schreib mir] [gern|einfach], wenn sich etwas ändert oder [noch etwas offen ist|du noch etwas brauchst].',
    'Du erreichst mich [jederzeit hier|wie immer hier], wenn noch etwas [unklar|offen] ist.',
  ],
  [
    'Bis dahin [viel Erfolg|gutes Gelingen] mit {project}!',
    'Ich drücke [euch|dir] für {project} [weiterhin |]die Daumen.',
    'Grüß [bitte |][das Team|alle] rund um {project} von mir!',
  ],
];

export const partingWords: readonly Slot[] = [
  [
    'danke, [das ist gut zu wissen|ich komme gern darauf zurück|das ist nett von dir].',
    '[mache ich|das mache ich], danke für [die netten Worte|deine Nachricht|die gute Zusammenarbeit].',
  ],
  [
    'Ich [melde mich wieder|schreibe dir wieder], sobald es bei {project} etwas Neues gibt.',
    'Sobald {project} einen Schritt weiter ist, [hörst du von mir|bekommst du eine kurze Nachricht von mir].',
    'Ansonsten [hören|sprechen] wir uns spätestens, wenn {project} [in die nächste Runde|einen Schritt weiter] geht.',
  ],
];
