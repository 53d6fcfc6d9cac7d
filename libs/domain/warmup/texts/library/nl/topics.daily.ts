import { type Topic } from '../vocabulary';

export const daily: readonly Topic[] = [
  {
    name: 'meeting-moved',
    subjects: [
      'Ons [overleg|gesprek] volgende week',
      '[Nieuw|Ander] moment voor ons [overleg|gesprek]',
      '[Overleg|Afspraak] {project}',
    ],
    opening: [
      [
        'Er is [helaas |]iets tussengekomen, dus ik moet ons [overleg|gesprek] over {project} [verzetten|verplaatsen].',
        'Ik moet onze [afspraak|bespreking] over {project} [verzetten|verplaatsen], [sorry daarvoor|excuus].',
        'Mijn agenda is [veranderd|omgegooid], en onze [afspraak|bespreking] over {project} [past niet meer|lukt zo niet meer].',
      ],
      [
        'Zou {day} volgende week om {time} uur [lukken|uitkomen|passen]?',
        'Kunnen we [in plaats daarvan|liever] volgende week {day} om {time} uur [afspreken|samenkomen]?',
        'Wat vind je van {day} volgende week, [rond|om] {time} uur?',
      ],
      [
        'Als dat niet [lukt|uitkomt], stel dan gerust [een ander moment|twee andere momenten] voor.',
        'We hebben [hooguit|ongeveer] [een half uur|veertig minuten] nodig, en de onderwerpen blijven hetzelfde.',
        'Ik pas de uitnodiging aan zodra ik van je [hoor|gehoord heb].',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[Geen probleem|Dat is geen punt], {day} om {time} uur [komt mij goed uit|past prima].',
            '{day} om {time} uur is [prima|uitstekend|goed] voor mij[, fijn dat je het laat weten|].',
          ],
          [
            'Ik heb het [al in mijn agenda gezet|meteen genoteerd] en neem de [open punten|laatste cijfers|notities van vorige keer] mee.',
            'Stuur [gerust|maar] de nieuwe uitnodiging, dan bereid ik de open punten [alvast |]voor.',
          ],
        ],
        closing: [
          [
            '[Mooi|Fijn], bedankt dat je zo flexibel bent. Ik heb de uitnodiging net aangepast, dus tot {day} om {time} uur.',
            'Dank je, dat helpt me [erg|echt]. De nieuwe uitnodiging is [onderweg|al verstuurd], en ik kijk uit naar {day}.',
          ],
        ],
      },
      {
        reply: [
          [
            '{day} is bij mij [lastig|behoorlijk vol], ik zit [de hele dag|bijna de hele dag] in [overleg|afspraken].',
            'Ik zou wel willen, maar {day} ben ik [op reis|naar een training] tot de avond.',
          ],
          [
            'Zou het [een week later|de week erna] [ook kunnen|lukken], rond dezelfde tijd?',
            'Kunnen we [een week later|de week erna] afspreken, [liefst|bijvoorbeeld] in de ochtend? Dan heb ik meer ruimte.',
          ],
        ],
        closing: [
          [
            '[Natuurlijk|Zeker], een week later is net zo goed. Ik stuur je [meteen|zo] een nieuwe uitnodiging.',
            'Geen probleem, dan doen we het een week later. De uitnodiging krijg je [vandaag nog|over een paar minuten].',
          ],
        ],
      },
    ],
  },
  {
    name: 'invoice-question',
    subjects: [
      '[Vraag|Korte vraag|Vraagje] over jullie factuur',
      'Factuur [van|voor] {project}',
      'Een detail op de factuur van {project}',
    ],
    opening: [
      [
        'Ik loop de stukken van {project} door en heb een kleine vraag over jullie laatste factuur.',
        'Onze boekhouding vroeg me naar jullie [laatste|meest recente] factuur voor {project}.',
        'Bij het opbergen van de stukken van {project} viel me iets op aan de laatste factuur.',
      ],
      [
        'Het lijkt erop dat het [projectnummer|ordernummer] ontbreekt, en dan belandt het stuk in de verkeerde map.',
        'Ons oude adres staat er nog op, terwijl we [dit voorjaar|een tijd geleden] verhuisd zijn.',
        'Bij een regel staat alleen "diensten", en we hebben daar een [korte |]omschrijving nodig.',
      ],
      [
        'Kun je me voor {day} een [aangepaste|nieuwe] versie sturen?',
        'Wil je daar eens naar kijken als je [tijd|even tijd] hebt?',
        'Kun je het nakijken, of me zeggen [wie erover gaat|bij wie ik moet zijn]?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Bedankt voor [de tip|het melden], je hebt [helemaal |]gelijk.',
            'Excuus, dat is bij het aanpassen van het sjabloon [weggevallen|zoekgeraakt].',
          ],
          [
            'Ik heb het aangepast en stuur je de nieuwe versie [vandaag nog|morgen|vanmiddag].',
            'De juiste versie heb je [morgenochtend|voor vanavond] in je mailbox.',
          ],
        ],
        closing: [
          [
            '[Mooi|Heel fijn], bedankt voor de snelle hulp. Zodra de nieuwe versie er is, geef ik die door aan de boekhouding.',
            'Dank je wel dat je er zo snel naar keek. Ik laat de boekhouding weten dat de nieuwe versie [eraan komt|onderweg is].',
          ],
        ],
      },
      {
        reply: [
          [
            'Dat weet ik [zelf niet precies|niet zeker], dus ik heb het aan ons kantoor gevraagd.',
            'Dat regelt ons kantoor, ik heb je bericht [meteen|net] doorgestuurd.',
          ],
          [
            'Je krijgt [voor {day}|deze week] antwoord met de juiste gegevens.',
            'De collega’s mailen je [voor {day}|binnen een dag of twee] rechtstreeks.',
          ],
        ],
        closing: [
          [
            'Bedankt voor het doorsturen, er is [bij ons |]geen haast bij. Ik wacht [rustig|gewoon] op het bericht van jullie kantoor.',
            'Heel goed, meer heb ik niet nodig. Ik leg het even opzij tot jullie kantoor reageert.',
          ],
        ],
      },
    ],
  },
  {
    name: 'lunch',
    subjects: [
      'Lunch op {day}?',
      '[Samen lunchen|Een lunch] volgende week?',
      'Tijd voor een lunch?',
      'Lunchpauze in {city}',
    ],
    opening: [
      [
        'Het is [lang|veel te lang] geleden dat we samen geluncht hebben.',
        '{day} ben ik bij jullie in de buurt en [moest aan je denken|dat wil ik graag benutten].',
        'Er is een leuk tentje geopend [bij het station|om de hoek], en dat wil ik graag eens proberen.',
      ],
      [
        'Heb je zin om volgende week {day} te gaan lunchen?',
        'Heb je volgende week {day} rond de middag al plannen?',
        'Wat vind je van een lunch volgende week {day}, [rond twaalf uur|om half een]?',
      ],
      [
        'We kunnen het [dan |]over {project} hebben, of gewoon [bijpraten|wat kletsen].',
        'Ik ben [ook|verder] benieuwd hoe het met {project} gaat.',
        'Ik reserveer graag een tafel, zeg maar waar je van houdt.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[Wat een leuk idee|Heel graag], {day} komt me [goed|prima] uit.',
            '[Met plezier|Graag], {day} heb ik rond de middag nog niets.',
          ],
          [
            'Zullen we om [half een|twaalf uur] bij jullie voor de deur afspreken?',
            'Ik eet [alles|bijna alles], dus kies gerust iets wat jij lekker vindt.',
          ],
        ],
        closing: [
          [
            '[Leuk|Mooi], dan reserveer ik een tafel [en stuur je het adres|voor ons]. Tot {day}, ik heb er [nu al |]zin in.',
            'Heel goed, ik regel de tafel. Ik haal je {day} op [bij de receptie|bij de ingang].',
          ],
        ],
      },
      {
        reply: [
          [
            'Bedankt voor het vragen, maar {day} ben ik [op reis|niet op kantoor|bij een klant].',
            'Ik had graag gewild, maar {day} [heb ik al iets|heb ik de ene afspraak na de andere].',
          ],
          [
            'Kunnen we het een week later doen? Dan is mijn agenda [veel rustiger|een stuk leger].',
            'Wat vind je van [koffie|een lunch] de week erna? Dan kan ik [bijna elke|elke] dag.',
          ],
        ],
        closing: [
          [
            'Geen probleem, dan nemen we de week erna. Ik stel je [op tijd|begin van de week] twee of drie dagen voor.',
            '[Natuurlijk|Prima], de week erna is net zo goed. Ik laat het weten zodra ik mijn agenda ken.',
          ],
        ],
      },
    ],
  },
  {
    name: 'travel',
    subjects: ['[Reis|Onze reis] naar {city}', '{city} [volgende week|op {day}]', '[Planning|Reisplan] {city}'],
    opening: [
      [
        'Ik ben [de|onze] reis naar {city} van volgende week aan het plannen.',
        'Volgende week {day} worden we in {city} verwacht, en ik wil de reis graag regelen.',
        'Het [bezoek|overleg] in {city} op {day} volgende week [staat nu vast|is bevestigd].',
      ],
      [
        'Ik zou [’s morgens|rond acht uur] de trein nemen, dan zijn we [ruim op tijd|rustig op tijd] daar.',
        'Met de trein duurt het [ruim|ongeveer] twee uur, en onderweg kunnen we nog iets voorbereiden.',
        'Ik dacht eraan om de avond ervoor te gaan, dan [beginnen we uitgerust|hebben we geen stress in de ochtend].',
      ],
      [
        'Zal ik voor jou ook een plaats [reserveren|boeken]?',
        'Zullen we samen reizen, of kom je [ergens anders vandaan|op eigen gelegenheid]?',
        'Komt dat goed uit, of ga je liever met de auto?',
      ],
    ],
    answers: [
      {
        reply: [
          ['[Ja, graag|Goed idee], laten we samen reizen.', '[Goed plan|Klinkt goed], ik [ga mee|reis met je mee].'],
          [
            'Een plaats [bij het raam|aan een tafel] zou [fijn|ideaal] zijn, dan lopen we onderweg de dia’s van {project} door.',
            'Ik neem de stukken van {project} mee, dan kunnen we die in de trein [doornemen|bekijken].',
          ],
        ],
        closing: [
          [
            '[Mooi|Prima], ik heb twee plaatsen naast elkaar gereserveerd. De [tijden|details] stuur ik je [vanavond|later].',
            'Heel goed, dan regel ik plaatsen voor ons allebei. Tot tien minuten voor vertrek [op het perron|bij de hoofdingang].',
          ],
        ],
      },
      {
        reply: [
          [
            'Bedankt [voor het vragen|dat je aan me denkt], maar ik kom [deze keer |]met de auto.',
            'Dat is aardig van je, maar ik ben de dag ervoor al [in de buurt|daar].',
          ],
          [
            'Zullen we [een half uur|twintig minuten] eerder [bij de ingang|in de hal] afspreken en de belangrijkste punten doornemen?',
            'We kunnen voor het overleg koffie drinken en ons deel nog eens [doornemen|bespreken].',
          ],
        ],
        closing: [
          [
            '[Graag|Goed idee], dan zien we elkaar daar een half uur van tevoren. Ik neem een [korte |]agenda mee voor ons allebei.',
            'Dat komt [goed|prima] uit. Ik ben er iets eerder en zoek een rustig hoekje voor ons.',
          ],
        ],
      },
    ],
  },
  {
    name: 'weekend-event',
    subjects: ['[Plannen|Een idee] voor zaterdag', 'Zaterdag in {city}', 'Ga je mee naar {city}?'],
    opening: [
      [
        'Volgende zaterdag is er [een kleine beurs|een open dag|een vakdag] in {city}, misschien is dat iets voor jou.',
        'Met een paar mensen gaan we volgende zaterdag naar [de beurs|de open dag] in {city}.',
        'Heb je [al |]gehoord van [de beurs|de vakdag] in {city}, volgende zaterdag?',
      ],
      [
        '’s Morgens zijn er [goede|korte] lezingen, en een daarvan past [erg |]goed bij {project}.',
        'Het programma is [afwisselend|interessant], en er komen [veel|aardig wat] mensen uit ons vak.',
        'Vorig jaar was de sfeer [heel ontspannen|erg leuk], en ik heb er leuke mensen ontmoet.',
      ],
      [
        'Ga je mee? We vertrekken [rond negen uur|om half negen].',
        'Heb je zin? Er is nog een plaats in de auto.',
        'Zal ik je [aanmelden|op de lijst zetten]? Familie is ook welkom.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Dat klinkt [goed|als een mooie dag], ik [ga graag mee|ben erbij].',
            '[Wat toevallig|Dat komt mooi uit], ik dacht er net over om te gaan.',
          ],
          [
            'Ik kom van de andere kant en zie jullie [rond|om] tien uur bij de ingang.',
            'Als er nog een plaats in de auto is, [neem ik die graag|rijd ik graag mee].',
          ],
        ],
        closing: [
          [
            '[Leuk|Mooi], dan zijn we met [vier|vijf] mensen. Vrijdag stuur ik iedereen nog een berichtje met [de tijden|de plek].',
            'Heel goed, ik heb het genoteerd. Het wordt vast een leuke dag, en er is zeker tijd voor koffie.',
          ],
        ],
      },
      {
        reply: [
          [
            'Klinkt leuk, maar zaterdag [komt er familie|hebben we al plannen].',
            'Zaterdag kan ik helaas niet, [mijn zus verhuist|we vieren een verjaardag].',
          ],
          [
            'Wil je [het programma|een folder] voor me meenemen, of me [maandag|daarna] vertellen wat interessant was?',
            'Vertel me volgende week [maar|vooral] hoe het was, ik ben benieuwd.',
          ],
        ],
        closing: [
          [
            '[Jammer|Wat jammer], maar dat begrijp ik [best|natuurlijk]. Ik maak notities en vertel je er [maandag|volgende week] over.',
            'Geen probleem, misschien lukt het volgend jaar. Ik neem mee wat er [nuttig|interessant] uitziet.',
          ],
        ],
      },
    ],
  },
  {
    name: 'thank-you',
    subjects: ['Nogmaals [bedankt|dank|dank je wel]', 'Een [kort|klein] bedankje', 'Bedankt, dat hielp'],
    opening: [
      [
        'Ik wilde je even bedanken voor je [hulp|steun] bij {project}.',
        'Nogmaals bedankt voor [het goede gesprek|je tijd|het bezoek] in {city}.',
        'Dat was een [erg prettig|heel nuttig] gesprek over {project}, dank daarvoor.',
      ],
      [
        'Jouw [ideeën|opmerkingen] hebben ons al [flink|erg] geholpen, en de [eerste|volgende] versie is bijna klaar.',
        'Het team was blij met je [suggesties|adviezen], en we proberen ze [deze week|nu] uit.',
        'Ik heb je [notities|gedachten] met de collega’s gedeeld, en iedereen vond ze nuttig.',
      ],
      [
        'Als ik ooit iets voor jou kan doen, [zeg het maar|laat het me weten].',
        'Laten we contact houden, misschien met [een telefoontje|koffie] [volgende maand|over een paar weken].',
        'Ik [laat je weten|vertel je] hoe het [verdergaat|uitpakt].',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[Graag gedaan|Met plezier gedaan], het was [fijn|leuk] om met jullie te werken.',
            'Dank voor je [aardige |]woorden, ik heb graag geholpen.',
          ],
          [
            'Ik ben benieuwd naar het resultaat, [hou me op de hoogte|stuur het me gerust].',
            'Ik vond het ook leuk, dus [vertel me|laat me weten] hoe het [verdergaat|afloopt].',
          ],
        ],
        closing: [
          [
            'Dat doe ik [zeker|graag]. Je krijgt de [eerste|volgende] versie zodra die toonbaar is, en je [eerlijke |]mening is altijd welkom.',
            'Dat is fijn om te horen. Laten we over [twee of drie|een paar] weken een moment zoeken voor [koffie|een telefoontje].',
          ],
        ],
      },
      {
        reply: [
          [
            'Dank voor je bericht, [dat is erg aardig|daar word ik blij van].',
            'Wat [aardig|leuk] dat je dat [schrijft|zegt], ik geef het door.',
          ],
          [
            'Nog een gedachte die ik vergeten was: [begin klein|hou het simpel] en vraag vroeg om meningen. Ik kan je onze notities daarover [sturen|opzoeken].',
            'Als je wilt, stuur ik je [onze lijst|de notities] van [een vergelijkbaar project|vorig jaar].',
          ],
        ],
        closing: [
          [
            'Dank je, dat helpt ons [erg|verder]. Ik breng het in het volgende overleg ter sprake en vertel je wat de anderen vinden.',
            'Ja, dat zou [heel nuttig|een grote hulp] zijn, dank je. Er is geen haast bij, volgende week is vroeg genoeg.',
          ],
        ],
      },
    ],
  },
];
