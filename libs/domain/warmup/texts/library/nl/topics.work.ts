import { type Topic } from '../vocabulary';

export const work: readonly Topic[] = [
  {
    name: 'document-review',
    subjects: [
      '[Concept|Eerste concept|Nieuw concept] {project}',
      'Jouw mening over het stuk van {project}',
      '{project}: stuk om te lezen',
    ],
    opening: [
      [
        'Het [eerste|nieuwe|tweede] concept van {project} is [klaar|af].',
        'Ik heb het stuk over {project} waar we het over hadden [afgemaakt|herschreven].',
        'Mijn versie van het stuk over {project} staat [nu|eindelijk] in de gedeelde map.',
      ],
      [
        'Voordat het naar de anderen gaat, hoor ik graag je mening, vooral over het [tweede|derde] deel.',
        'Een extra paar ogen zou [helpen|goed zijn], vooral bij [de inleiding|het middelste deel].',
        'Over [de inleiding|het slot] ben ik nog niet [helemaal |]tevreden, misschien heb jij een [beter |]idee.',
      ],
      [
        'Kun je het voor {day} [lezen|bekijken]?',
        'Als je voor {day} [een half uur|twintig minuten] vindt, zou dat [heel |]fijn zijn.',
        'Opmerkingen [in de kantlijn|in de tekst] zijn prima, graag voor {day}.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Ik heb het net gelezen, het is [duidelijk|goed geschreven|goed te volgen].',
            '[Goed werk|Mooi gedaan], ik heb het [vanmorgen|bij de koffie] gelezen en heb maar [een paar|wat kleine] opmerkingen.',
          ],
          [
            'In het [tweede|derde] deel zou ik [het voorbeeld|de tabel] vooraan zetten, en het slot kan iets korter.',
            'De inleiding kan eerder zeggen [waar het over gaat|voor wie het is], verder zou ik het zo laten.',
          ],
        ],
        closing: [
          [
            'Dank je, dat zijn [goede|nuttige] punten. Ik verwerk je punten [vandaag|morgen] en stuur het stuk {day} rond.',
            'Dat helpt me [erg|echt], bedankt. Ik pas het aan en zet de [definitieve|nette] versie in de map.',
          ],
        ],
      },
      {
        reply: [
          [
            '[Graag|Natuurlijk], maar ik kom er pas {day} in de [middag|avond] aan toe.',
            'Ik lees het met plezier, alleen wordt het {day} in de middag voordat ik tijd heb.',
          ],
          [
            'Is dat op tijd voor jou? Anders kan iemand uit het team misschien alvast beginnen.',
            'Heb je het eerder nodig, zeg dan welke [twee|drie] pagina’s het belangrijkst zijn, dan lees ik die eerst.',
          ],
        ],
        closing: [
          [
            '{day} is vroeg genoeg, neem rustig de tijd. Het [eerste|middelste] deel is het belangrijkst, de rest ken je al.',
            'Dat is ruim op tijd, dank je. Ik wacht op je opmerkingen en [controleer|bekijk] intussen de cijfers.',
          ],
        ],
      },
    ],
  },
  {
    name: 'project-status',
    subjects: ['{project}: waar staan we?', '[Stand|Korte stand|Voortgang] {project}', '{project} voor {day}'],
    opening: [
      [
        'Voor het overleg van {day} verzamel ik de stand van {project}.',
        '{day} praten we in het [grote|wekelijkse] overleg over {project}.',
        'Ik ben het overzicht van {project} aan het [schrijven|bijwerken].',
      ],
      [
        'Bij ons is het ontwerp klaar, en de tests zijn [ongeveer halverwege|goed op weg].',
        'We lopen [grotendeels|ongeveer] volgens plan, alleen de [vertaling|documentatie] duurt iets langer.',
        'De lijst met open punten is veel korter geworden, er zijn er nog [drie|vier].',
      ],
      [
        'Hoe staat het er [bij jullie|aan jullie kant] voor?',
        'Kun je me twee of drie zinnen over jullie deel sturen?',
        'Is er iets wat jullie [ophoudt|tegenhoudt], of waar we bij kunnen helpen?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Bij ons loopt alles [volgens plan|goed].',
            'Goed nieuws, we lopen zelfs [iets|een beetje] voor op het schema.',
          ],
          [
            'Het [eerste|tweede] deel is [getest|klaar], en de rest volgt [voor {day}|deze week].',
            'We hebben [deze|vorige] week [twee|drie] grote punten afgerond, en niets staat in de weg.',
            'Alleen [de handleiding|een akkoord] ontbreekt nog, en dat zou er voor {day} moeten zijn.',
          ],
        ],
        closing: [
          [
            'Dat klinkt [heel goed|prima], dank je. Ik neem het zo over in het overzicht en laat het je voor {day} zien.',
            '[Perfect|Heel mooi], meer heb ik niet nodig. Bedank het hele team van me.',
          ],
        ],
      },
      {
        reply: [
          [
            'We lopen een paar dagen achter, vorige week waren twee collega’s [ziek|er niet].',
            'Het gaat vooruit, maar [langzamer|iets trager] dan gedacht.',
          ],
          [
            'Het zou helpen als we [voor {day}|deze week] samen naar de volgorde van de taken kijken.',
            'Als de controle [een of twee dagen|iets] later kan, halen we het [zonder stress|netjes].',
          ],
        ],
        closing: [
          [
            'Fijn dat je het [eerlijk|op tijd] zegt. We kunnen de data [iets|een paar dagen] opschuiven, ik bel je om de lijst door te nemen.',
            'Geen probleem, [twee|een paar] dagen extra kan best. Ik zet het in het overzicht en zoek een moment voor ons.',
          ],
        ],
      },
    ],
  },
  {
    name: 'supplier',
    subjects: [
      '[Nieuwe|Andere] leverancier voor {project}',
      'Jouw ervaring met leveranciers in {city}',
      'Leveranciers in {city}',
    ],
    opening: [
      [
        'We zoeken een [nieuwe|tweede] leverancier voor [het drukwerk|de verpakking|de meubels] van {project}.',
        'Onze leverancier van [verpakkingen|drukwerk] sluit aan het eind van het jaar de werkplaats in {city}.',
        'Voor {project} hebben we een [betrouwbare|goede] leverancier bij {city} nodig.',
      ],
      [
        'Jij hebt daar [vorig jaar|al eens] met iemand gewerkt, als ik het goed heb.',
        'Ik hoorde dat jullie heel tevreden zijn over die van jullie.',
        'Goed werk en afspraken nakomen vinden we belangrijker dan een grote catalogus.',
      ],
      [
        'Kun je [iemand|een bedrijf] aanraden, of me een contact geven?',
        'Wat was je indruk, en met wie kunnen we het beste praten?',
        'Heb je [deze week|{day}] tien minuten om erover te vertellen?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Ja, we werken al [drie|een paar] jaar met een [klein |]familiebedrijf bij {city}.',
            'Over die van ons zijn we [echt|heel] tevreden, het is een klein bedrijf bij {city}.',
          ],
          [
            'Ze houden zich aan afspraken, en als er iets misgaat is er altijd iemand aan de telefoon.',
            'Het zijn vriendelijke en betrouwbare mensen, alleen moet je [in de zomer|voor de feestdagen] vroeg bestellen.',
          ],
          ['Ik stuur je het contact [vanmiddag|morgen].', 'Zeg er [gerust|maar] bij dat je [ons kent|via ons komt].'],
        ],
        closing: [
          [
            'Dat is precies wat we zoeken, dank je. Ik bel ze [deze week|{day}] en vertel je hoe het ging.',
            '[Mooi|Heel fijn], bedankt voor de aanbeveling. Ik maak een afspraak en doe ze de groeten van je.',
          ],
        ],
      },
      {
        reply: [
          [
            'We werken niet meer met ze, het werd te ver weg voor ons.',
            'Eerlijk gezegd was onze indruk wisselend: goed werk, maar [vaak|meestal] een week te laat.',
          ],
          [
            'Ik kan het aan onze collega’s in het magazijn vragen, die hebben [vorige maand|op een beurs] twee andere leren kennen.',
            'Ik kan {day} eens rondvragen, iemand kent vast een betere partij.',
          ],
        ],
        closing: [
          [
            'Bedankt voor het eerlijke antwoord, dat scheelt ons [veel|wat] gedoe. Het zou fijn zijn als je rondvraagt.',
            'Dat is goed om te weten. Ik wacht tot je iets hoort, we hebben nog [een paar|enkele] weken de tijd.',
          ],
        ],
      },
    ],
  },
  {
    name: 'training',
    subjects: [
      '[Training|Workshop] [in {city}|op {day}]',
      '[Twee plaatsen|Plaatsen] in de [training|workshop]',
      'Een [training|workshop] voor jou?',
    ],
    opening: [
      [
        'Volgende week {day} organiseren we een workshop van [een dag|een halve dag][ in {city}|].',
        'Volgende week {day} is er in {city} een cursus over [presenteren|projectplanning|schrijven].',
        'Onze afdeling heeft volgende week {day} een training over [vergaderen|feedback geven].',
      ],
      [
        'Er zijn nog twee plaatsen, en ik dacht [meteen |]aan [jou|jullie team].',
        'Degene die het geeft is heel goed, ik heb [vorig jaar|eerder] een van die cursussen gevolgd.',
        'Het begint om {time} uur en is heel praktisch, [met veel oefeningen|zonder lange dia’s].',
      ],
      [
        'Heb je zin om mee te doen[, of iemand uit je team|]?',
        'Is het iets voor jou, of misschien voor iemand die nieuw is?',
        'Laat je [morgen|een dezer dagen] weten of ik een plaats moet vasthouden?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Ja, [heel graag|ik kom graag], hou maar een plaats voor me vast.',
            'Fijn dat je aan me denkt, ik [doe graag mee|kom graag].',
          ],
          [
            'Moet ik iets [voorbereiden|meenemen], of is een notitieboek genoeg?',
            'Is er iets om vooraf te lezen, en in welke zaal is het?',
          ],
        ],
        closing: [
          [
            'Je staat op de lijst, [mooi|leuk]. Een notitieboek is genoeg, en de dag ervoor stuur ik je de zaal.',
            'Ik heb je aangemeld, voorbereiden hoeft niet. De zaal is [op de tweede verdieping|naast de kantine], en er is koffie.',
          ],
        ],
      },
      {
        reply: [
          [
            '{day} kan ik [zelf |]niet weg, maar iemand in ons team vroeg juist naar [zoiets|precies dit].',
            'Het is niet de goede week voor mij, maar iemand die nieuw is bij ons heeft er [veel|zeker iets] aan.',
          ],
          [
            'Kun je de plaats tot morgen vasthouden? Ik vraag het [meteen|vandaag nog] na.',
            'Mag ik je bericht doorsturen, en hou je de plaats [tot morgen|zo lang] vast?',
          ],
        ],
        closing: [
          [
            'Natuurlijk, ik hou de plaats [twee dagen|tot overmorgen] vast. Ik heb dan alleen de naam voor de lijst nodig.',
            'Ja, [doe maar|vraag het gerust]. Vragen mogen rechtstreeks naar mij, en de plaats blijft gereserveerd.',
          ],
        ],
      },
    ],
  },
  {
    name: 'onboarding',
    subjects: ['Versterking voor {project}', 'Eerste week in het team', '[Korte introductie|Kennismaken] op {day}'],
    opening: [
      [
        'Komende {day} begint er iemand nieuw in ons team, die een deel van {project} overneemt.',
        'De open plek is vervuld: komende {day} begint onze nieuwe collega.',
        'Onze versterking voor {project} begint komende {day}.',
      ],
      [
        'Het zou fijn zijn als jullie elkaar [vroeg|meteen aan het begin] leren kennen.',
        'Ik maak het programma voor de eerste week en heb je er graag bij.',
        'Jij kent het begin van het project beter dan [wie ook|de meesten van ons].',
      ],
      [
        'Heb je om {time} uur [een half uur|dertig minuten] voor een [korte |]introductie?',
        'Kun je laten zien hoe jullie team werkt, bijvoorbeeld om {time} uur?',
        'Kun je om {time} uur [even |]aanschuiven en iets over jullie [team|deel] vertellen?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[Met plezier|Natuurlijk], {day} heb ik [tijd|een half uur].',
            'Mooi dat jullie iemand gevonden hebben, ik help graag.',
          ],
          [
            'Ik laat de [eerste|belangrijkste] stappen zien en hou genoeg tijd over voor vragen.',
            'Er is een pagina met de meest gestelde vragen, die stuur ik je [van tevoren|vandaag].',
          ],
        ],
        closing: [
          [
            'Dat is [heel aardig|fijn], dank je. Ik zet je voor {day} om {time} uur in het programma en stuur de uitnodiging.',
            'Perfect, bedankt dat je de tijd neemt. Ik zet het in het programma van {day}, en ik neem koffie mee.',
          ],
        ],
      },
      {
        reply: [
          [
            'Ik zou graag willen, maar die week ben ik [bijna elke dag|meestal] onderweg.',
            'Goed idee, alleen is die week bij mij [erg|behoorlijk] vol.',
          ],
          [
            'Kunnen we in plaats daarvan [bellen|videobellen], of een week later afspreken?',
            'Iemand uit mijn team kan de introductie doen, en dan sluit ik [later|in de tweede week] aan.',
          ],
        ],
        closing: [
          [
            '[Natuurlijk|Zeker], dat kan net zo goed. Ik plan het zo in en stuur je [morgen|binnenkort] het nieuwe programma.',
            'Goed voorstel, zo doen we het. In het begin is er toch veel te lezen, dus iets later is zelfs beter.',
          ],
        ],
      },
    ],
  },
  {
    name: 'tool-question',
    subjects: [
      '[Vraag|Vraagje|Korte vraag] over [de|onze] planningstool',
      'Hoe doen jullie dit in de planningstool?',
      'Een beetje hulp met de planningstool',
    ],
    opening: [
      [
        'Jij kent onze planningstool goed, misschien kun je me [even|snel] helpen.',
        'Ik richt het bord voor {project} in en kom niet verder.',
        'Sinds de laatste update ziet het overzicht van {project} er bij mij [anders|vreemd] uit.',
      ],
      [
        'Als ik een taak naar de volgende week [verplaats|kopieer], zijn de opmerkingen weg.',
        'Ik kan de instelling niet vinden waarmee het hele team dezelfde lijst ziet.',
        'De lijst toont alleen mijn eigen taken, die van de anderen ontbreken.',
      ],
      [
        'Heb jij dat [ook wel eens|ook] gehad?',
        'Hoe doen jullie dat in je team?',
        'Kun je het me {day} in vijf minuten [laten zien|uitleggen]?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Ja, dat ken ik, dat had ik [ook|laatst ook].',
            'Het is [gelukkig |]simpel, maar ik heb er ook naar gezocht.',
          ],
          [
            'Open rechtsboven het menu, kies de instellingen en zet de weergave op [team|iedereen].',
            'Je moet het bord een keer sluiten, weer openen en dan[ links|] de gedeelde weergave kiezen.',
          ],
          ['Werkt het dan nog niet, bel me [gerust|even].', 'Laat je weten of het gelukt is?'],
        ],
        closing: [
          [
            'Dat was het, heel erg bedankt! Ik had nog een uur gezocht, ik schrijf het op voor de anderen.',
            '[Mooi|Heel fijn], nu werkt het weer. Bedankt voor de snelle hulp, je krijgt een koffie van me.',
          ],
        ],
      },
      {
        reply: [
          [
            'Dat had ik nog niet gezien, het lijkt een wijziging in de laatste update.',
            'Dat is [vreemd|gek], bij mij ziet het eruit als [altijd|eerst].',
          ],
          [
            'Ik vraag het aan onze IT en laat het je [voor {day}|morgen] weten.',
            '{day} heb ik even tijd, dan kunnen we er samen naar kijken.',
          ],
        ],
        closing: [
          [
            'Dat zou [fijn|heel aardig] zijn, dank je. Er is geen haast bij, ik werk zolang met [de oude|een simpele] lijst.',
            'Bedankt voor [het nakijken|je hulp], alleen kwam ik er niet uit. Tot die tijd laat ik [het|alles] zo.',
          ],
        ],
      },
    ],
  },
];
