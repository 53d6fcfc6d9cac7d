import { type LabelRules } from './label.rules';

const DAY = '(?:maan|dins|woens|donder|vrij|zater|zon)dag|morgen|overmorgen|vandaag|volgende week|deze week';
const TIME = '\\d{1,2}(?:[:.]\\d\\d)? ?(?:uur|u)(?!\\p{L})|\\d{1,2}:\\d\\d|(?:s )?(?:ochtends|middags)';
const MATERIAL =
  'info|informatie|details|voorstel|prijs|prijzen|offerte|brochure|presentatie|link|uitnodiging|voorbeeld|voorbeelden|tarieven|aanbod|demo|documentatie|materiaal|meer';

export const DUTCH: LabelRules = {
  language: 'nl',
  negation: 'niet|geen|nooit|zonder|noch|nauwelijks|weinig',
  phrases: {
    shield: [
      ['no-objection', 'geen probleem|waarom niet|aarzel niet|niet alleen|niets op tegen|niet on(?=geinteress)'],
      [
        'if-interested',
        '(?:als|indien|mocht|wanneer|bij)(?: \\p{L}{1,12}){0,4} (?:interesse|geinteresseerd|behoefte|nodig)[^.!?]{0,40}',
      ],
      [
        'asks-interest',
        '(?:heeft|heb|hebben|bent|ben) (?:u|je|jij|jullie)(?: \\p{L}{1,12}){0,3} (?:interesse|geinteresseerd)',
      ],
    ],
    'opt-out': [
      [
        'off-the-list',
        '(?:van|uit)(?: \\p{L}{1,14}){0,2} (?:lijst|mailinglijst|mailinglist|verzendlijst|bestand|database|maillijst|nieuwsbrief|adressenbestand|mailing)(?!\\p{L})(?: \\p{L}{1,12}){0,2}|(?:verwijder|schrap|haal)(?:en|t)? (?:mij|me|ons|mijn|onze)|(?:mij|me|ons|mijn (?:e-?mail|mail|adres|gegevens)\\S*)(?: \\p{L}{1,12}){0,5} (?:uitschrijven|verwijderen|afmelden|schrappen)|(?:wil|willen|graag)(?: \\p{L}{1,10}){0,4} (?:uitschrijven|afmelden|uitgeschreven|afgemeld)|^(?:graag |gelieve |svp )?(?:uitschrijven|afmelden|verwijderen|stop)[.! ]*(?:a\\.?u\\.?b\\.?|svp)?$|afmelden voor|schrijf (?:mij|me|ons) uit|meld (?:mij|me|ons) af',
      ],
      [
        'stop-writing',
        '(?:geen|niet)(?: \\p{L}{1,12}){0,3} (?:mails?|e-?mails?|berichten|reclame|spam|contact|post|mailings)(?: \\p{L}{1,10}){0,4} (?:meer|sturen|ontvangen|opnemen|toesturen)|(?:niet|nooit) (?:meer )?(?:te )?(?:mailen|benaderen|contacteren|contact opnemen|lastig ?vallen|schrijven|benaderd|gemaild)|geen (?:verdere|mails|e-?mails|berichten|contact) (?:mails?|e-?mails?|berichten|contact|meer)|(?:stop|hou op|houd op|stoppen)(?: \\p{L}{1,8}){0,3} (?:met|mails|mailen|spammen|sturen)|(?:mail|benader|contacteer|stuur|schrijf) (?:mij|me|ons)(?: \\p{L}{1,10}){0,3} (?:niet|geen)(?: meer)?',
      ],
      [
        'data-erasure',
        '(?:verwijder|wis)\\p{L}{0,3}(?: \\p{L}{1,12}){0,4} gegevens|gegevens(?: \\p{L}{1,12}){0,4} (?:verwijder|wis)\\p{L}{0,3}|(?<!\\p{L})avg(?!\\p{L})|gdpr|recht op vergetelheid',
      ],
    ],
    refusal: [
      [
        'not-interested',
        '(?:geen|niet|nul|weinig|zonder)(?: \\p{L}{1,12}){0,3} (?:interesse|geinteresseerd|interessant|belangstelling)(?!\\p{L})|ongeinteresseerd',
      ],
      [
        'declines',
        '(?<!\\p{L})nee,? (?:dank|bedankt|dankje|hoor|wij|we|ik|geen)|^(?:hallo[^.!,]{0,20}[,.!] ?|hoi[^.!,]{0,20}[,.!] ?)?nee[.! ]*$|(?:bedankt|dank(?: je| u)?(?: wel)?),? maar|(?:sla|slaan)(?: \\p{L}{1,10}){0,3} over(?!\\p{L})|(?:wijs|wijzen)(?: \\p{L}{1,10}){0,3} af(?!\\p{L})|helaas(?: \\p{L}{1,10}){0,5} (?:niet|geen)',
      ],
      [
        'no-need',
        '(?:geen|niet)(?: \\p{L}{1,12}){0,3} (?:behoefte|nodig|noodzaak|op zoek|relevant|van toepassing|passend|iets voor)|past niet|zoeken (?:momenteel )?(?:niet|geen)',
      ],
      [
        'has-a-solution',
        '(?:al|reeds)(?: \\p{L}{1,14}){0,5} (?:partner|oplossing|leverancier|partij|systeem|voorzien|samen|bureau|tool|intern)(?!\\p{L})|tevreden (?:met|over) (?:onze|ons|de|het)|goed voorzien',
      ],
      ['no-budget', 'geen(?: \\p{L}{1,12}){0,2} (?:budget|middelen|tijd|capaciteit)|te duur'],
      [
        'decided-against',
        'besloten(?: \\p{L}{1,12}){0,5} (?:niet|andere|ander)|niet (?:verder|mee (?:verder|door))|(?:andere|ander) (?:keuze|partij) gekozen',
      ],
      [
        'hostile',
        'laat (?:mij|me|ons) met rust|(?:dit|dat) is spam|tijdverspilling|ongewenste (?:mail|e-?mail|reclame)|rot op',
      ],
    ],
    referral: [
      [
        'names-another',
        '(?:neem|opnemen|contact|mail|bel|vraag|benader|spreek)(?: \\p{L}{1,10}){0,4} (?:met|bij|naar|aan) (?:mijn|onze|de|dhr|mevr|\\S{1,40}@|collega)|(?:juiste|goede) (?:persoon|contactpersoon)(?: \\p{L}{1,8}){0,4} is|(?:heb|zal|stuur)(?: \\p{L}{1,10}){0,5} (?:doorgestuurd|doorsturen|doorgezet|door) (?:naar|aan)?',
      ],
    ],
    'wrong-person': [
      [
        'wrong-person',
        'niet (?:de )?(?:juiste|goede) (?:persoon|contactpersoon|afdeling|adres)|(?:verkeerde|foute) (?:persoon|afdeling|adres|contactpersoon)|(?:ga|ben|gaan|zijn)(?: \\p{L}{1,8}){0,3} niet (?:over|verantwoordelijk)|niet verantwoordelijk',
      ],
      [
        'left-the-company',
        '(?:niet meer|niet langer)(?: \\p{L}{1,10}){0,3} (?:werkzaam|in dienst|bij)|(?:bedrijf|organisatie) verlaten|met pensioen',
      ],
    ],
    later: [
      [
        'not-now',
        '(?:op dit moment|momenteel|nu|voorlopig|vooralsnog)(?: \\p{L}{1,8}){0,2} (?:niet|geen)|(?:nog|nu) niet|niet (?:op dit moment|momenteel|nu|dit jaar|het juiste moment)|verkeerd moment|te vroeg',
      ],
      [
        'another-time',
        '(?:neem|kom|benader|bel|mail|meld|probeer|spreek)(?: \\p{L}{1,12}){0,6} (?:later|volgend(?:e)? (?:jaar|kwartaal|maand)|over (?:een paar|enkele|\\d|twee|drie|zes) (?:weken|maanden)|in (?:januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december|het (?:voorjaar|najaar|nieuwe jaar)))|hou(?:d|den)?(?: \\p{L}{1,10}){0,4} (?:achterhoofd|in gedachten)|kom(?:en)? (?:ik |we |er )?(?:later |nog )?(?:bij (?:u|je) )?(?:op )?terug',
      ],
    ],
    interest: [
      [
        'interested',
        '(?:heb|hebben|heeft|zeker|wel|absoluut|veel)(?: \\p{L}{1,10}){0,3} (?:interesse|belangstelling)|(?:ben|zijn|zeker|wel|zeer|erg)(?: \\p{L}{1,10}){0,3} geinteresseerd|spreekt (?:mij|me|ons) aan',
      ],
      [
        'sounds-good',
        '(?:klinkt|lijkt|ziet er)(?: \\p{L}{1,10}){0,3} (?:goed|interessant|leuk|prima|top|perfect|mooi|uitstekend|een goed idee)(?!\\p{L})|goed idee',
      ],
      [
        'agrees-to-talk',
        '(?:laten we|kunnen we|zullen we|kan ik|wil(?:len)?|graag|zou(?:den)?)(?: [\\p{L}\\d:.]{1,12}){0,7} (?:bellen|spreken|praten|afspreken|afspraak|kennismaken|overleggen|gesprek|demo|bespreken|sparren|meer (?:weten|horen)|plannen|inplannen)|(?:afspraak|gesprek|call|demo) (?:in ?plannen|maken|plannen)|graag(?:[.!]|$)|bel (?:mij|me|ons)(?! niet)',
      ],
      [
        'proposes-time',
        `(?:${DAY}|${TIME})(?: [\\p{L}\\d:.]{1,10}){0,5} (?:schikt|past|kan|komt (?:goed )?uit|lukt|is (?:goed|prima)|uit)(?!\\p{L})(?! niet)|(?:schikt|past|kunt u|kun je|kan je|uitkomen|beschikbaar|komt)(?: [\\p{L}\\d:.]{1,10}){0,5} (?:${DAY}|${TIME})|wanneer (?:schikt|past|kunt|kun|heeft|heb|komt)`,
      ],
      [
        'asks-for-material',
        `(?:stuur|sturen|mail|mailen|toesturen|opsturen|deel|delen|ontvang|ontvangen)(?: \\p{L}{1,12}){0,6} (?:${MATERIAL})|(?:${MATERIAL})(?: \\p{L}{1,12}){0,5} (?:toesturen|opsturen|sturen|ontvangen|mailen)(?!\\p{L})|meer (?:info|informatie|details)|vertel (?:mij |me |ons )?meer|meer (?:over )?weten`,
      ],
      [
        'telephone',
        '(?:bel|bellen|bereikbaar|bereiken)(?: \\p{L}{1,8}){0,4} (?:op|via)(?: nummer)? ?\\+?\\d|mijn (?:nummer|telefoonnummer|mobiele nummer|mobiel)',
      ],
      [
        'looks-forward',
        'ja,? (?:graag|hoor|dat|zeker|prima|leuk|ik|we|wij|interessant|goed)|kijk (?:er )?(?:al )?(?:naar )?uit',
      ],
    ],
    'weak-interest': [
      [
        'agrees',
        '^(?:hallo[^.!,]{0,20}[,.!] ?|hoi[^.!,]{0,20}[,.!] ?)?(?:ja|graag|prima|ok|oke|akkoord|zeker|goed|top|natuurlijk)(?: graag| hoor| bedankt)?[.! ]*$',
      ],
      ['mentions-interest', '(?<!\\p{L})(?:interessant|geinteresseerd)(?!\\p{L})'],
    ],
    question: [
      [
        'asks-who',
        'wie (?:bent u|ben je|zijn jullie)|hoe (?:komt u|kom je|komen jullie) aan|waar gaat (?:dit|het) over',
      ],
      [
        'asks-price',
        '(?:wat|hoeveel)(?: \\p{L}{1,8}){0,3} (?:kost|kosten)|wat (?:is|zijn) de (?:prijs|prijzen|kosten)',
      ],
      [
        'asks-about',
        '(?:hoe|wat|wie|waar|wanneer|waarom|welke?|kunt|kun|kan|heeft|hebben|is|zijn|biedt)(?: \\S{1,20}){1,25} ?\\?',
      ],
    ],
    thanks: [
      [
        'thanks-only',
        '^(?:hallo[^.!,]{0,20}[,.!] ?|hoi[^.!,]{0,20}[,.!] ?)?(?:hartelijk |heel erg )?(?:bedankt|dank|ontvangen|genoteerd)(?: \\p{L}{1,12}){0,6}[.! ]*$',
      ],
    ],
  },
};
