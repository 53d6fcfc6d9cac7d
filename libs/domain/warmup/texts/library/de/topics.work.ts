import { type Topic } from '../vocabulary';

export const work: readonly Topic[] = [
  {
    name: 'document-review',
    subjects: [
      '[Entwurf|Erster Entwurf|Neuer Entwurf] zu {project}',
      'Deine Meinung zum [Entwurf|Dokument] {project}',
      '{project}: [Entwurf|Dokument] zum Durchlesen',
    ],
    opening: [
      [
        'der [erste|neue|zweite] Entwurf zu {project} ist [fertig|so weit].',
        'ich habe das Dokument zu {project} [fertiggestellt|überarbeitet], über das wir gesprochen hatten.',
        'meine Fassung des Konzepts zu {project} liegt [jetzt|endlich] im gemeinsamen Ordner.',
      ],
      [
        'Bevor ich es [verschicke|herumschicke], hätte ich gern deine Meinung, vor allem zum [zweiten|dritten] Abschnitt.',
        'Ein zweites Paar Augen würde [helfen|guttun], besonders [bei der Einleitung|im mittleren Teil].',
        'Mit [der Einleitung|dem Schluss] bin ich noch nicht [ganz |]zufrieden, vielleicht hast du eine [Idee|bessere Idee].',
      ],
      [
        'Könntest du es bis {day} [lesen|ansehen]?',
        'Wenn du vor {day} [eine halbe Stunde|zwanzig Minuten] findest, wäre ich [dir |]dankbar.',
        'Anmerkungen [am Rand|direkt im Text] sind [am besten|völlig in Ordnung], gern bis {day}.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'ich habe es gerade gelesen, es ist [klar|gut geschrieben|gut verständlich].',
            '[gute Arbeit|sehr schön], ich habe es [heute früh|bei einem Kaffee] gelesen und nur [ein paar|kleine] Anmerkungen.',
          ],
          [
            'Im [zweiten|dritten] Abschnitt würde ich [das Beispiel|die Tabelle] nach vorn stellen, und der Schluss könnte [etwas|ein wenig] kürzer sein.',
            'Die Einleitung könnte früher sagen, [worum|um was] es geht, sonst würde ich alles so lassen.',
          ],
        ],
        closing: [
          [
            'danke, das sind [gute|hilfreiche] Punkte. Ich arbeite deine Punkte [heute|morgen] ein und schicke das Dokument am {day} [herum|an alle].',
            'das hilft mir [sehr|wirklich], vielen Dank. Ich ändere das und lege die [endgültige|saubere] Fassung in den Ordner.',
          ],
        ],
      },
      {
        reply: [
          [
            '[gern|natürlich], aber ich komme erst am {day}[nachmittag|abend] dazu.',
            'ich lese es gern, nur wird es {day}[nachmittag|abend], bis ich [Zeit finde|dazu komme].',
          ],
          [
            'Ist das für dich [früh genug|noch rechtzeitig]? Sonst könnte vielleicht jemand aus dem Team [anfangen|einspringen].',
            'Wenn du es [früher|eher] brauchst, sag mir, welche [zwei|drei] Seiten am wichtigsten sind, dann lese ich die zuerst.',
          ],
        ],
        closing: [
          [
            '{day} reicht [völlig|vollkommen], nimm dir [ruhig |]Zeit. Der [erste|mittlere] Teil ist am wichtigsten, den Rest kennst du [schon|im Grunde].',
            'das ist [früh genug|völlig in Ordnung], danke. Ich warte auf deine Anmerkungen und [prüfe|überarbeite] bis dahin die Zahlen.',
          ],
        ],
      },
    ],
  },
  {
    name: 'project-status',
    subjects: ['{project}: wo stehen wir?', '[Stand|Kurzer Stand|Zwischenstand] {project}', '{project} bis {day}'],
    opening: [
      [
        'für die [Runde|Besprechung] am {day} stelle ich gerade den Stand von {project} zusammen.',
        'am {day} sprechen wir in der [großen|wöchentlichen] Runde über {project}.',
        'ich [schreibe|aktualisiere] gerade die Übersicht zu {project}.',
      ],
      [
        'Bei uns ist das Layout fertig, und die Tests sind [etwa zur Hälfte durch|in vollem Gang].',
        'Wir liegen [weitgehend|im Großen und Ganzen] im Plan, nur die [Übersetzung|Dokumentation] dauert etwas länger.',
        'Die Liste der offenen Punkte ist [viel|deutlich] kürzer geworden, es sind nur noch [drei|vier].',
      ],
      [
        'Wie sieht es [bei euch|auf eurer Seite] aus?',
        'Könntest du mir zwei oder drei Sätze zu [eurem Teil|eurem Stand] schreiben?',
        'Gibt es etwas, [das euch aufhält|worauf ihr wartet] oder wobei wir helfen können?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'bei uns läuft alles [nach Plan|rund].',
            'gute Nachrichten, wir sind sogar [ein wenig|etwas] vor dem Zeitplan.',
          ],
          [
            'Der [erste|zweite] Teil ist [getestet|fertig], der Rest folgt [bis {day}|im Laufe der Woche].',
            'Wir haben [diese|letzte] Woche [zwei|drei] größere Punkte abgeschlossen, und nichts steht im Weg.',
            'Es fehlt nur noch [das Handbuch|eine Freigabe], und die Unterlagen dazu sollten bis {day} da sein.',
          ],
        ],
        closing: [
          [
            'das klingt [sehr gut|prima], danke. Ich übernehme es so in die Übersicht und zeige sie dir vor {day}.',
            '[perfekt|wunderbar], mehr brauche ich nicht. Gib meinen Dank bitte an das [ganze |]Team weiter.',
          ],
        ],
      },
      {
        reply: [
          [
            'wir hängen ein paar Tage hinterher, [zwei Kollegen waren krank|letzte Woche fehlten zwei von uns].',
            'es geht voran, aber [langsamer|etwas langsamer] als [geplant|gedacht].',
          ],
          [
            'Es würde helfen, wenn wir uns [vor {day}|diese Woche] die Reihenfolge der [Aufgaben|Punkte] gemeinsam ansehen.',
            'Wenn die Abnahme [ein oder zwei Tage|etwas] später [sein könnte|möglich wäre], würden wir es [ohne Stress|ordentlich] schaffen.',
          ],
        ],
        closing: [
          [
            'danke, dass du das [offen|so früh] sagst. Wir können die Termine [etwas|um ein paar Tage] verschieben, ich rufe dich an, dann gehen wir die Liste durch.',
            'kein Problem, [ein paar|zwei] Tage mehr [schaden nicht|sind in Ordnung]. Ich schreibe es in die Übersicht und suche einen Termin für uns.',
          ],
        ],
      },
    ],
  },
  {
    name: 'supplier',
    subjects: [
      '[Neuer|Weiterer] Lieferant für {project}',
      '[Erfahrungen|Deine Erfahrung] mit Lieferanten in {city}',
      'Lieferanten [rund um|in] {city}',
    ],
    opening: [
      [
        'wir suchen einen [neuen|zweiten] Lieferanten für [die Drucksachen|die Verpackung|die Möbel] von {project}.',
        'unser Lieferant für [Verpackungen|Drucksachen] schließt Ende des Jahres die Werkstatt in {city}.',
        'für {project} brauchen wir einen [zuverlässigen|guten] Lieferanten in der Nähe von {city}.',
      ],
      [
        'Du hast dort [letztes Jahr|schon einmal] mit jemandem gearbeitet, wenn ich mich [richtig |]erinnere.',
        'Jemand hat erwähnt, dass du mit [eurem|deinem] sehr zufrieden bist.',
        'Gute Arbeit und [feste|pünktliche] Termine sind uns wichtiger als ein großer Katalog.',
      ],
      [
        'Kannst du [jemanden|eine Firma] empfehlen oder mir einen Kontakt nennen?',
        'Wie war dein Eindruck, und [bei wem|wo] meldet man sich dort am besten?',
        'Hättest du [am {day}|diese Woche] zehn Minuten, um mir davon zu erzählen?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'ja, wir arbeiten seit [drei|einigen] Jahren mit einer [kleinen Firma|Familienfirma] bei {city}.',
            'wir sind mit unserem [wirklich|sehr] zufrieden, das ist ein kleiner Betrieb bei {city}.',
          ],
          [
            'Sie halten ihre Termine ein, und wenn etwas [schiefgeht|nicht passt], geht immer jemand ans Telefon.',
            'Dort sind alle freundlich und zuverlässig, nur [im Sommer|vor Feiertagen] [sollte|muss] man [früh|rechtzeitig] bestellen.',
          ],
          [
            'Den Kontakt schicke ich dir [heute Nachmittag|morgen].',
            'Sag [einfach|ruhig], dass du [uns kennst|von uns kommst].',
          ],
        ],
        closing: [
          [
            'das klingt genau nach dem, was wir [suchen|brauchen], danke. Ich rufe dort [diese Woche|am {day}] an und erzähle dir, wie es war.',
            '[prima|wunderbar], danke für die Empfehlung. Ich mache einen Besuch aus und richte [schöne |]Grüße von dir aus.',
          ],
        ],
      },
      {
        reply: [
          [
            'mit denen arbeiten wir nicht mehr, der Weg [war|wurde] uns zu weit.',
            'ehrlich gesagt war unser Eindruck [gemischt|durchwachsen]: gute Arbeit, aber [oft|meist] eine Woche zu spät.',
          ],
          [
            'Ich kann unsere Kollegen im Lager fragen, die haben [letzten Monat|auf einer Messe] zwei andere kennengelernt.',
            'Ich kann mich am {day} umhören, [sicher|bestimmt] kennt [jemand|einer von uns] eine bessere Adresse.',
          ],
        ],
        closing: [
          [
            'danke für die ehrliche Antwort, das erspart uns [viel|einigen] Ärger. Es wäre [schön|nett], wenn du dich umhören könntest.',
            'das ist gut zu wissen. Ich warte, bis du etwas [hörst|gehört hast], wir haben [noch |]ein paar Wochen Zeit.',
          ],
        ],
      },
    ],
  },
  {
    name: 'training',
    subjects: [
      '[Schulung|Workshop] [in {city}|am {day}]',
      '[Plätze|Zwei Plätze] [in der Schulung|im Workshop]',
      'Wäre [diese Schulung|dieser Kurs] etwas für dich?',
    ],
    opening: [
      [
        'wir planen nächste Woche am {day} einen [halbtägigen|eintägigen] Workshop[ in {city}|].',
        'nächste Woche am {day} gibt es in {city} einen Kurs zu [Präsentationen|Projektplanung|gutem Schreiben].',
        'unsere Abteilung hat nächste Woche am {day} eine Schulung zu [Moderation|Feedback].',
      ],
      [
        'Zwei Plätze sind noch [offen|zu haben], und ich habe [an dich|an euer Team] gedacht.',
        'Die Leitung ist sehr gut, ich war [letztes Jahr|schon einmal] in einem der Kurse.',
        'Es beginnt um {time} Uhr und ist [ganz|sehr] praktisch, [mit vielen Übungen|ohne lange Folien].',
      ],
      [
        '[Möchtest|Magst] du [oder jemand aus eurem Team |]teilnehmen?',
        'Ist das etwas für dich oder [vielleicht |]für [jemanden, der neu ist|eine Kollegin]?',
        'Sag mir [bis morgen|in den nächsten Tagen], ob ich einen Platz [freihalten|für dich reservieren] soll.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'ja, [sehr gern|da komme ich gern], halte mir [bitte |]einen Platz frei.',
            '[danke, dass du an mich denkst|schön, dass du fragst], ich bin [gern |]dabei.',
          ],
          [
            'Muss ich etwas [vorbereiten|mitbringen], oder [reicht|genügt] ein Notizbuch?',
            'Gibt es etwas, das ich vorher lesen [soll|kann], und [wo genau|in welchem Raum] findet es statt?',
          ],
        ],
        closing: [
          [
            'du stehst auf der Liste, [wunderbar|schön]. Ein Notizbuch [reicht|genügt], und den Raum schicke ich dir am Tag vorher.',
            'ich habe dich [eingetragen|angemeldet], vorzubereiten ist nichts. Der Raum ist [im zweiten Stock|neben der Kantine], für Kaffee ist gesorgt.',
          ],
        ],
      },
      {
        reply: [
          [
            'am {day} komme ich [selbst |]leider nicht weg, aber [im Team|bei uns] hat jemand [genau danach|nach so etwas] gefragt.',
            'für mich ist es die falsche Woche, aber jemand Neues bei uns [würde davon profitieren|könnte es gut brauchen].',
          ],
          [
            'Kannst du den Platz bis morgen freihalten? Ich frage [gleich|heute noch] nach.',
            'Darf ich deine Nachricht weiterleiten, und hältst du den Platz [bis morgen|so lange] frei?',
          ],
        ],
        closing: [
          [
            '[natürlich|klar], ich halte den Platz [zwei Tage|bis übermorgen] frei. Ich brauche [dann |]nur den Namen für die Liste.',
            'gern, [mach das|frag ruhig nach]. Fragen können direkt an mich gehen, und der Platz bleibt erst einmal reserviert.',
          ],
        ],
      },
    ],
  },
  {
    name: 'onboarding',
    subjects: [
      '[Verstärkung|Neues Teammitglied] für {project}',
      'Erste Woche im [Team|Projekt]',
      '[Kurze Einführung|Kennenlernen] am {day}',
    ],
    opening: [
      [
        'am nächsten {day} fängt jemand Neues in unserem Team an und übernimmt einen Teil von {project}.',
        'wir konnten die offene Stelle besetzen: am nächsten {day} geht es für unser neues Teammitglied los.',
        'unsere Verstärkung für {project} beginnt am nächsten {day}.',
      ],
      [
        'Es wäre schön, wenn ihr euch [früh|gleich am Anfang] kennenlernen könntet.',
        'Ich stelle gerade den Plan für die erste Woche zusammen und hätte dich gern dabei.',
        'Du kennst die [Geschichte|Anfänge] des Projekts besser als [die meisten|wir alle].',
      ],
      [
        'Hättest du um {time} Uhr [eine halbe Stunde|dreißig Minuten] für eine [kurze |]Einführung?',
        'Könntest du zeigen, wie [ihr|dein Team] arbeitet, vielleicht um {time} Uhr?',
        'Magst du um {time} Uhr dazukommen und [etwas|kurz] von [eurem Teil|eurem Team] erzählen?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[sehr gern|natürlich], am {day} habe ich [Zeit|eine halbe Stunde].',
            'schön, dass ihr jemanden gefunden habt, ich helfe gern.',
          ],
          [
            'Ich zeige die [wichtigsten|ersten] Schritte und lasse genug Zeit für Fragen.',
            'Es gibt eine Seite mit den häufigsten Fragen, die [schicke|gebe] ich dir [vorher|heute noch].',
          ],
        ],
        closing: [
          [
            'das ist [sehr nett|prima], danke. Ich trage dich für {day} um {time} Uhr ein und schicke die Einladung.',
            'perfekt, danke, dass du dir die Zeit nimmst. Es kommt so in den Plan für {day}, und ich bringe den Kaffee mit.',
          ],
        ],
      },
      {
        reply: [
          [
            'ich würde gern, aber in der Woche bin ich [fast jeden Tag|die meiste Zeit] unterwegs.',
            'das ist eine gute Idee, nur ist die Woche bei mir [sehr|ziemlich] voll.',
          ],
          [
            'Können wir stattdessen [kurz telefonieren|ein Videogespräch machen] oder uns eine Woche später treffen?',
            'Die Einführung könnte jemand aus meinem Team machen, und ich komme [später|in der zweiten Woche] dazu.',
          ],
        ],
        closing: [
          [
            '[klar|natürlich], das geht genauso gut. Ich plane es so ein und schicke dir [morgen|bald] den neuen Ablauf.',
            'guter Vorschlag, so machen wir es. Am Anfang gibt es [ohnehin|sowieso] viel zu lesen, da passt es etwas später [sogar besser|gut].',
          ],
        ],
      },
    ],
  },
  {
    name: 'tool-question',
    subjects: [
      '[Frage|Kurze Frage|Kleine Frage] zum Planungstool',
      'Wie macht ihr das im Planungstool?',
      '[Kleine |]Hilfe beim Planungstool',
    ],
    opening: [
      [
        'du kennst dich mit unserem Planungstool aus, vielleicht kannst du mir [kurz|schnell] helfen.',
        'ich richte gerade das Board für {project} ein und komme nicht [mehr |]weiter.',
        'seit dem letzten Update sieht die Übersicht von {project} bei mir [anders|seltsam] aus.',
      ],
      [
        'Wenn ich eine Aufgabe in die nächste Woche [schiebe|kopiere], sind die Kommentare [weg|verschwunden].',
        'Ich finde die Einstellung nicht, mit der [alle|das ganze Team] dieselbe Liste [sehen kann|vor sich hat].',
        'Die Liste zeigt mir nur meine eigenen [Aufgaben|Einträge], die der anderen fehlen.',
      ],
      [
        'Hattest du das auch schon [einmal|]?',
        'Wie [macht|löst] ihr das in eurem Team?',
        'Könntest du es mir am {day} in fünf Minuten [zeigen|erklären]?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'ja, das kenne ich, das hatte ich [auch|neulich auch].',
            'das ist [zum Glück |]einfach, aber ich habe auch [lange|eine Weile] gesucht.',
          ],
          [
            'Öffne oben rechts das Menü, [wähle|nimm] die Einstellungen und stelle die Ansicht auf [Team|alle] um.',
            'Du musst das Board einmal schließen und neu öffnen, dann [links |]die gemeinsame Ansicht [wählen|auswählen].',
          ],
          [
            'Wenn es [dann noch immer|so] nicht geht, ruf mich [einfach|gern] an.',
            'Sag mir Bescheid, ob es geklappt hat.',
          ],
        ],
        closing: [
          [
            'das war es, [vielen|herzlichen] Dank! Ich hätte noch [lange|eine Stunde] gesucht und schreibe es für die anderen auf.',
            '[super|prima], jetzt [geht|stimmt] es wieder. Danke für die schnelle Hilfe, der nächste Kaffee geht auf mich.',
          ],
        ],
      },
      {
        reply: [
          [
            'das habe ich noch nicht gesehen, es klingt nach einer [kleinen |]Änderung im letzten Update.',
            'das ist [seltsam|merkwürdig], bei mir sieht es aus wie [immer|vorher].',
          ],
          [
            'Ich frage unsere IT und melde mich [bis {day}|morgen] wieder.',
            'Am {day} habe ich [etwas |]Zeit, dann können wir es uns gemeinsam ansehen.',
          ],
        ],
        closing: [
          [
            'das wäre [nett|prima], danke. Es eilt überhaupt nicht, bis dahin arbeite ich mit der [alten|einfachen] Liste.',
            'danke [fürs Nachsehen|für deine Mühe], allein käme ich nicht weiter. Bis dahin lasse ich [es|alles] so, wie es ist.',
          ],
        ],
      },
    ],
  },
];
