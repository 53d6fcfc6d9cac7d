import { type Topic } from '../vocabulary';

export const daily: readonly Topic[] = [
  {
    name: 'meeting-moved',
    subjects: [
      '[Unser Termin|Unser Gespräch] nächste Woche',
      '[Neuer|Anderer] Termin für [unser Gespräch|unsere Besprechung]',
      '[Terminverschiebung|Besprechung|Termin] {project}',
    ],
    opening: [
      [
        'leider ist mir etwas dazwischengekommen, und ich muss [unseren Termin|unser Gespräch] zu {project} [verschieben|verlegen].',
        'ich muss [unsere Besprechung|unser Treffen] zu {project} leider [verschieben|verlegen], [entschuldige bitte|tut mir leid].',
        'mein Kalender hat sich [geändert|verschoben], und [unser Termin|unsere Besprechung] zu {project} [passt nicht mehr|geht so nicht mehr].',
      ],
      [
        '[Passt es dir|Ginge es bei dir|Hättest du Zeit] [nächste Woche am|am kommenden] {day} um {time} Uhr?',
        'Können wir uns [stattdessen|lieber] nächste Woche am {day} um {time} Uhr [treffen|zusammensetzen]?',
        'Wie wäre es [nächste Woche am|am nächsten] {day} [gegen|um] {time} Uhr?',
      ],
      [
        'Falls das [bei dir nicht geht|schlecht ist], schlag mir [einfach|gern] [eine andere Zeit|zwei andere Zeiten] vor.',
        'Wir brauchen [höchstens|wohl nur] [eine halbe Stunde|vierzig Minuten], und die [Themen|Punkte] bleiben [dieselben|gleich].',
        'Die Einladung [ändere|aktualisiere] ich, sobald ich von dir [höre|gehört habe].',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[kein Problem|das macht gar nichts], {day} um {time} Uhr [passt mir gut|geht bei mir].',
            '{day} um {time} Uhr ist für mich [gut|wunderbar|in Ordnung][, danke fürs Bescheidgeben|].',
          ],
          [
            'Ich habe [mir die Zeit schon eingetragen|den Termin schon geblockt] und bringe die [offenen Punkte|neuesten Zahlen|Notizen vom letzten Mal] mit.',
            'Schick mir [einfach|gern] die neue Einladung, bis dahin [bereite ich|gehe ich] die offenen Punkte [vor|durch].',
          ],
        ],
        closing: [
          [
            '[super|prima], [danke|vielen Dank], dass du so flexibel bist. Die Einladung habe ich [gerade|eben] geändert, wir sehen uns also am {day} um {time} Uhr.',
            'das [hilft mir sehr|ist nett von dir], vielen Dank. Die neue Einladung ist [unterwegs|schon verschickt], und ich freue mich auf {day}.',
          ],
        ],
      },
      {
        reply: [
          [
            '{day} ist bei mir leider [schwierig|ziemlich voll], da bin ich [den ganzen Tag|fast nur] [unterwegs|in Terminen].',
            'ich würde gern, aber am {day} bin ich [auf Reisen|in einer Schulung] und erst abends [zurück|erreichbar].',
          ],
          [
            '[Ginge|Wäre] es [eine Woche später|in der Woche danach] [zur selben Zeit|um dieselbe Zeit] [auch|möglich]?',
            'Können wir uns [eine Woche später|in der Woche darauf] treffen? Da bin ich [ganz|noch] flexibel.',
          ],
        ],
        closing: [
          [
            '[klar|natürlich], eine Woche später [passt es mir genauso|geht es genauso gut]. Ich schicke dir [gleich|direkt] eine neue Einladung.',
            'kein Problem, dann machen wir es eine Woche später. Die Einladung [kommt|bekommst du] [heute noch|in ein paar Minuten].',
          ],
        ],
      },
    ],
  },
  {
    name: 'invoice-question',
    subjects: [
      '[Frage|Kurze Frage|Rückfrage] zur [letzten |]Rechnung',
      'Rechnung [zu|für] {project}',
      '[Angaben|Kleinigkeit] auf der Rechnung {project}',
    ],
    opening: [
      [
        'ich gehe gerade die Unterlagen zu {project} durch und habe eine [kurze|kleine] Frage zu eurer letzten Rechnung.',
        'unsere Buchhaltung hat mich nach eurer [letzten|neuesten] Rechnung zu {project} gefragt.',
        'beim Ablegen der Unterlagen zu {project} ist mir auf der letzten Rechnung [etwas|eine Kleinigkeit] aufgefallen.',
      ],
      [
        '[Offenbar|Anscheinend] fehlt die [Projektnummer|Bestellnummer], und ohne sie [landet|kommt] das Dokument [bei uns |]im falschen Ordner.',
        'Dort steht noch unsere alte [Anschrift|Adresse], obwohl wir [im Frühjahr|vor einiger Zeit] umgezogen sind.',
        'Bei einer Position steht nur "Leistungen", und wir bräuchten [dazu|dort] eine [kurze|genauere] Beschreibung.',
      ],
      [
        'Könntest du mir bis {day} eine [korrigierte|neue] Fassung [schicken|zukommen lassen]?',
        'Magst du [das einmal prüfen|da einmal nachsehen], wenn du [Zeit hast|dazu kommst]?',
        'Könntest du [nachsehen|das klären] oder mir sagen, [wer sich darum kümmert|an wen ich mich wenden soll]?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'danke für den Hinweis, du hast [völlig|natürlich] recht.',
            '[entschuldige|tut mir leid], das ist beim [Umstellen|Ändern] der Vorlage [untergegangen|verloren gegangen].',
          ],
          [
            'Ich habe es korrigiert und schicke dir die neue Fassung [heute noch|bis morgen|im Laufe des Tages].',
            'Die [neue|richtige] Fassung hast du [morgen früh|bis heute Abend] [im Postfach|bei dir].',
          ],
        ],
        closing: [
          [
            '[wunderbar|prima], danke für die schnelle Hilfe. Sobald die neue Fassung da ist, gebe ich sie [an die Buchhaltung|gleich] weiter.',
            'vielen Dank, dass du dich [so schnell|gleich] darum gekümmert hast. Ich sage der Buchhaltung, dass die neue Fassung [kommt|unterwegs ist].',
          ],
        ],
      },
      {
        reply: [
          [
            'das weiß ich [selbst nicht genau|gerade auch nicht sicher], deshalb habe ich [unser Büro gefragt|es an unser Büro gegeben].',
            'darum kümmert sich bei uns das Büro, ich habe deine Nachricht [gerade|gleich] weitergeleitet.',
          ],
          [
            'Du [bekommst|hast] [bis {day}|im Laufe der Woche] [eine Antwort|die richtigen Angaben] [von dort|direkt von den Kollegen].',
            'Die Kollegen melden sich [bis {day}|in ein, zwei Tagen] [direkt |]bei dir.',
          ],
        ],
        closing: [
          [
            'danke fürs Weitergeben, es eilt [bei uns |]überhaupt nicht. Ich warte dann [einfach|in Ruhe] auf die Nachricht aus eurem Büro.',
            'sehr gut, mehr brauche ich [gar nicht|im Moment nicht]. Ich lege es [zur Seite|beiseite], bis sich euer Büro [meldet|gemeldet hat].',
          ],
        ],
      },
    ],
  },
  {
    name: 'lunch',
    subjects: [
      'Mittagessen am {day}?',
      '[Gemeinsam|Zusammen] mittagessen?',
      'Zeit für ein [gemeinsames |]Mittagessen?',
      'Mittagspause in {city}',
    ],
    opening: [
      [
        'wir haben [lange|viel zu lange] nicht mehr zusammen [gegessen|am Tisch gesessen].',
        'am {day} bin ich bei euch in der Nähe und [würde das gern nutzen|musste an dich denken].',
        '[in der Nähe vom Bahnhof|bei uns um die Ecke] hat ein [kleines|nettes] Lokal aufgemacht, das ich [ausprobieren|testen] möchte.',
      ],
      [
        'Hast du [Lust|Zeit], nächste Woche am {day}mittag [essen zu gehen|etwas zu essen]?',
        'Hast du nächste Woche am {day}mittag schon etwas vor?',
        'Wie wäre es mit einem Mittagessen nächste Woche am {day}, [so gegen zwölf|vielleicht um halb eins]?',
      ],
      [
        '[Nebenbei|Dabei] könnten wir über {project} sprechen oder [einfach plaudern|uns auf den neuesten Stand bringen].',
        'Mich würde auch interessieren, wie es mit {project} [läuft|weitergeht].',
        'Ich [reserviere|suche] gern einen Tisch, sag mir nur, [was du gern isst|worauf du Lust hast].',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[das ist eine schöne Idee|sehr gern], {day} passt mir [gut|wunderbar|bestens].',
            '[mit Vergnügen|gern], am {day} habe ich mittags noch nichts vor.',
          ],
          [
            'Sollen wir uns um [halb eins|Viertel nach zwölf|zwölf] [bei euch|vor eurem Büro] treffen?',
            'Ich esse [alles|fast alles], such [also gern|einfach] etwas aus, das dir gefällt.',
          ],
        ],
        closing: [
          [
            '[schön|wie schön], dann reserviere ich einen Tisch [und schicke dir die Adresse|für uns]. Wir sehen uns am {day}, ich freue mich [schon |]sehr.',
            '[prima|sehr gut], um den Tisch kümmere ich mich. Ich hole dich am {day} [am Empfang|unten am Eingang] ab.',
          ],
        ],
      },
      {
        reply: [
          [
            'danke, dass du fragst, aber am {day} bin ich [unterwegs|nicht im Büro|bei einem Kunden].',
            'ich wäre gern mitgekommen, aber am {day} habe ich [schon etwas vor|einen Termin nach dem anderen].',
          ],
          [
            'Können wir es eine Woche später [machen|versuchen]? Da ist mein Kalender [viel leerer|ganz entspannt].',
            'Wie wäre es mit einem [Kaffee|Essen] in der Woche [darauf|danach]? Da [geht|passt] [fast jeder|jeder] Tag.',
          ],
        ],
        closing: [
          [
            'kein Problem, dann nehmen wir die Woche danach. Ich schlage dir [rechtzeitig|am Anfang der Woche] zwei oder drei Tage vor.',
            '[klar|gern], eine Woche später ist [genauso gut|auch schön]. Ich melde mich [wieder|noch einmal], sobald ich meine Termine [kenne|weiß].',
          ],
        ],
      },
    ],
  },
  {
    name: 'travel',
    subjects: ['[Fahrt|Reise|Unsere Fahrt] nach {city}', '{city} [nächste Woche|am {day}]', '[Anreise|Planung] {city}'],
    opening: [
      [
        'ich plane gerade [die|unsere] Fahrt nach {city} nächste Woche.',
        'nächste Woche am {day} sind wir [beide |]in {city}, und ich würde gern [die Anreise|die Fahrt] planen.',
        'der [Besuch|Termin] in {city} nächste Woche am {day} [steht jetzt fest|ist bestätigt].',
      ],
      [
        'Ich würde [morgens|gegen acht] den Zug nehmen, dann sind wir [rechtzeitig|in Ruhe] [dort|vor Ort].',
        'Mit dem Zug dauert es [gut|etwa] zwei Stunden, und wir könnten unterwegs noch etwas [vorbereiten|besprechen].',
        'Ich [überlege|dachte daran], schon am Abend vorher zu fahren, damit wir [morgens|am nächsten Tag] keinen Stress haben.',
      ],
      [
        'Soll ich für dich [gleich|auch] einen Platz [reservieren|buchen]?',
        'Wollen wir zusammen fahren, oder kommst du [von woanders|auf eigene Faust]?',
        'Passt das für dich, oder [fährst du lieber mit dem Auto|möchtest du lieber selbst fahren]?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[ja, sehr gern|gute Idee], lass uns zusammen fahren.',
            '[guter Plan|klingt gut], ich [bin dabei|komme mit].',
          ],
          [
            'Ein Platz [am Fenster|am Tisch] wäre [schön|ideal], dann können wir unterwegs die Folien zu {project} [durchgehen|besprechen].',
            'Ich bringe die [Unterlagen|Folien] zu {project} mit, dann können wir sie im Zug [durchgehen|noch einmal ansehen].',
          ],
        ],
        closing: [
          [
            '[prima|sehr gut], ich habe zwei Plätze [nebeneinander|am Tisch] reserviert. Die [Zeiten|Einzelheiten] schicke ich dir [heute Abend|später].',
            'schön, dann [buche|besorge] ich Plätze für uns beide. Treffen wir uns zehn Minuten vor der Abfahrt [am Gleis|am Haupteingang]?',
          ],
        ],
      },
      {
        reply: [
          [
            'danke, dass du [fragst|an mich denkst], aber ich komme [diesmal |]mit dem Auto.',
            'das ist nett von dir, aber ich bin schon am Tag vorher in [der Gegend|{city}].',
          ],
          [
            'Wollen wir uns [eine halbe Stunde|zwanzig Minuten] vorher [am Eingang|im Foyer] treffen und die [wichtigsten Punkte|Themen] durchgehen?',
            'Wir könnten vor dem Termin [einen Kaffee trinken|uns kurz treffen] und unseren Teil noch einmal [besprechen|durchgehen].',
          ],
        ],
        closing: [
          [
            '[gern|gute Idee], dann treffen wir uns dort eine halbe Stunde vor Beginn. Ich bringe [für uns beide|uns] einen [kurzen |]Ablauf mit.',
            'das passt [mir gut|gut], bis dann. Ich bin [rechtzeitig|etwas früher] da und suche uns eine ruhige Ecke.',
          ],
        ],
      },
    ],
  },
  {
    name: 'weekend-event',
    subjects: ['[Nächsten Samstag|Ausflug] nach {city}?', 'Samstag in {city}', 'Kommst du mit nach {city}?'],
    opening: [
      [
        'nächsten Samstag ist in {city} [eine kleine Messe|ein Fachtag|ein Tag der offenen Tür], das könnte dich interessieren.',
        'ein paar von uns fahren nächsten Samstag [zur Messe|zum Fachtag] nach {city}.',
        'hast du [schon |]von [der kleinen Messe|dem Fachtag] nächsten Samstag in {city} gehört?',
      ],
      [
        'Vormittags gibt es einige [gute|kurze] Vorträge, und einer davon passt [besonders |]gut zu {project}.',
        'Das Programm sieht [gut|abwechslungsreich] aus, und es kommen [viele|einige] Leute aus unserer Branche.',
        'Letztes Jahr war es [sehr entspannt|richtig nett], und ich habe [einige alte Bekannte|interessante Leute] getroffen.',
      ],
      [
        '[Möchtest|Magst] du mitkommen? Wir fahren [gegen neun|um halb neun] los.',
        'Hast du Lust? Im Auto ist noch [ein Platz|Platz].',
        'Soll ich dich [auf die Liste setzen|anmelden]? Familie ist [auch |]willkommen.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'das klingt [gut|nach einem schönen Tag], ich bin [gern |]dabei.',
            '[was für ein Zufall|das trifft sich gut], ich hatte [auch schon|gerade] überlegt hinzugehen.',
          ],
          [
            'Ich komme aus der anderen Richtung und treffe euch [gegen|um] zehn am Eingang.',
            'Wenn im Auto noch ein Platz [frei|zu haben] ist, [nehme ich ihn gern|fahre ich gern mit].',
          ],
        ],
        closing: [
          [
            '[schön|prima], dann sind wir zu [viert|fünft]. Am Freitag schicke ich allen [noch |]eine kurze Nachricht mit [den Zeiten|dem Treffpunkt].',
            'sehr gut, ich habe [dich eingetragen|es notiert]. Das wird bestimmt [nett|ein schöner Tag], und für einen Kaffee ist sicher Zeit.',
          ],
        ],
      },
      {
        reply: [
          [
            'das klingt [gut|schön], aber [am Samstag|an dem Wochenende] haben wir [Besuch von der Familie|schon etwas vor].',
            'am Samstag kann ich leider nicht, [meine Schwester zieht um|wir feiern einen Geburtstag].',
          ],
          [
            'Kannst du mir [das Programm|ein paar Unterlagen] mitbringen oder [danach|am Montag] erzählen, [wie es war|was interessant war]?',
            'Erzähl mir [bitte|unbedingt] nächste Woche [davon|, wie es war], ich bin gespannt.',
          ],
        ],
        closing: [
          [
            '[schade|wie schade], aber das verstehe ich natürlich. Ich [mache mir Notizen|halte die Augen offen] und erzähle dir nächste Woche [davon|alles].',
            'kein Problem, vielleicht klappt es nächstes Jahr. Ich bringe dir mit, was [nützlich|interessant] aussieht.',
          ],
        ],
      },
    ],
  },
  {
    name: 'thank-you',
    subjects: ['[Danke|Vielen Dank] noch einmal', 'Ein [kurzes|kleines] Dankeschön'],
    opening: [
      [
        'ich wollte mich [kurz|einfach] für deine [Hilfe|Unterstützung] bei {project} bedanken.',
        'noch einmal vielen Dank für [das gute Gespräch|deine Zeit|den Besuch] in {city}.',
        'das war ein [sehr angenehmes|richtig gutes|sehr nützliches] [Gespräch|Treffen] zu {project}, danke dafür.',
      ],
      [
        'Deine [Ideen|Hinweise] haben uns [schon|sehr] geholfen, und der [erste|nächste] Entwurf ist [fast fertig|beinahe fertig].',
        'Das Team hat sich über deine [Anregungen|Vorschläge] gefreut, und wir probieren sie [diese Woche|gerade] aus.',
        'Ich habe deine [Notizen|Gedanken] [an die Kollegen|im Team] weitergegeben, und alle fanden sie [nützlich|hilfreich].',
      ],
      [
        'Wenn ich [einmal|auch einmal] etwas für dich tun kann, sag [es mir|einfach Bescheid].',
        'Lass uns in Kontakt bleiben, vielleicht mit einem [kurzen Telefonat|Kaffee] [nächsten Monat|in ein paar Wochen].',
        'Ich [sage dir|erzähle dir], wie es [weitergeht|ausgeht].',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[sehr gern geschehen|das habe ich gern gemacht], die Arbeit mit euch hat [Spaß gemacht|Freude gemacht].',
            'danke für die [netten|freundlichen] Worte, ich habe gern geholfen.',
          ],
          [
            'Ich bin [gespannt|neugierig] auf das Ergebnis, [halte mich gern auf dem Laufenden|schick es mir gern].',
            'Mir hat es auch gefallen, also [erzähl mir gern|sag mir Bescheid], wie es weitergeht.',
          ],
        ],
        closing: [
          [
            'das mache ich [gern|auf jeden Fall]. Du bekommst die [erste|nächste] Fassung, sobald sie vorzeigbar ist, und deine [ehrliche |]Meinung ist [immer |]willkommen.',
            'das freut mich [sehr|zu hören]. Lass uns in [zwei oder drei|ein paar] Wochen einen Termin für [ein Telefonat|einen Kaffee] suchen.',
          ],
        ],
      },
      {
        reply: [
          [
            'danke für deine Nachricht, [das ist sehr nett|darüber habe ich mich gefreut].',
            'wie nett, dass du [schreibst|das sagst], ich gebe es [gern |]weiter.',
          ],
          [
            'Ein Gedanke noch, den ich vergessen hatte: [fangt klein an|haltet es einfach] und fragt früh ein paar Leute. Unsere Notizen dazu kann ich dir [schicken|heraussuchen].',
            'Wenn du [magst|möchtest], [schicke|suche] ich dir noch [unsere Liste|die Notizen] aus [einem ähnlichen Projekt|dem letzten Jahr].',
          ],
        ],
        closing: [
          [
            'danke, das hilft uns [sehr|weiter]. Ich spreche es in der nächsten [Runde|Besprechung] an und [sage dir|berichte], was die anderen [meinen|denken].',
            'ja, das wäre [sehr nützlich|eine große Hilfe], vielen Dank. Es eilt nicht, nächste Woche [reicht völlig|ist früh genug].',
          ],
        ],
      },
    ],
  },
];
