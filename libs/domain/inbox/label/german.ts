import { type LabelRules } from './label.rules';

const DAY =
  '(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|morgen|ubermorgen|heute|(?:nachste|kommende|diese)[nr]? woche';
const TIME = '\\d{1,2}(?:[:.]\\d\\d)? ?uhr|\\d{1,2}:\\d\\d|vormittags?|nachmittags?';
const MATERIAL =
  'info|informationen|unterlagen|details|angebot|preis|broschure|prasentation|link|termin|beispiel|prospekt|material|einladung|katalog|muster|demo|mehr';
const TALK =
  '(?:sprechen|telefonieren|austausch|kennenlern|kennen lernen|unterhalten|termin|treffen|gesprach|demo|anschauen|ansehen|zoom|teams|call|besprechen|reden|horen)';

export const GERMAN: LabelRules = {
  language: 'de',
  negation: 'nicht|kein(?:e[nrsm]?)?|nie(?:mals)?|ohne|weder|kaum|wenig',
  phrases: {
    shield: [
      [
        'no-objection',
        'nicht un(?=interess)|kein problem|keine frage|nichts dagegen|zogern sie nicht|gar kein thema|nicht nur|spricht nichts dagegen|warum nicht',
      ],
      [
        'if-interested',
        '(?:bei|falls|wenn|sollte|sofern)(?: \\p{L}{1,14}){0,4} (?:interesse|bedarf|interessiert)[^.!?]{0,40}',
      ],
      [
        'asks-interest',
        '(?:haben|hatten|hast) (?:sie|du|ihr)(?: \\p{L}{1,12}){0,3} interesse|(?:sind|waren|bist) (?:sie|du)(?: \\p{L}{1,12}){0,3} interessiert',
      ],
      ['keeps-subscription', 'nicht (?:abmelden|austragen|loschen)'],
    ],
    'opt-out': [
      [
        'off-the-list',
        '(?:aus|von)(?: \\p{L}{1,14}){0,3} (?:verteiler|liste|mailingliste|newsletter|datenbank|adressliste|e-?mail-?liste|datenbestand)|(?:bitte )?(?:tragen|nehmen|streichen|loschen|entfernen) sie (?:mich|uns|meine|unsere|diese)|(?:mich|uns|meine (?:e-?mail|mail|daten|adresse)\\S*)(?: \\p{L}{1,14}){0,5} (?:austragen|loschen|entfernen|streichen|abmelden|nehmen)|(?:bitte|sofort|umgehend|mich|uns) (?:\\p{L}{1,10} ){0,2}(?:austragen|abmelden)(?!\\p{L})|^(?:bitte )?(?:austragen|abmelden|abbestellen|loschen)[.!]*$|austragung|abbestell(?:e|en|ung)(?!\\p{L})',
      ],
      [
        'stop-writing',
        '(?:keine|nie|nicht) (?:weiteren? |mehr )*(?:(?:e-?mails?|mails?|nachrichten|werbung|werbemails?|spam|post|angebote|anfragen|kontaktaufnahmen?)(?: \\p{L}{1,10}){0,3} (?:mehr|schicken|senden|zusenden|erhalten|bekommen|von ihnen)|(?:mehr )?(?:anschreiben|kontaktieren|belastigen|schreiben|zuspammen))|(?:keine|ohne) (?:weiteren?|weitere) (?:e-?mails?|mails?|nachrichten|kontakt|werbung|anfragen|zusendungen)|(?:unterlassen|horen) sie|(?:schreiben|kontaktieren|schicken|senden|mailen) sie (?:mir|uns|mich)(?: \\p{L}{1,12}){0,3} (?:nicht|keine|nie)|(?:kein|keinen) (?:weiteren )?kontakt(?: mehr)?(?: wunsch| gewunscht| erwunscht)|^stopp?[.!]*$',
      ],
      [
        'data-erasure',
        '(?:loschen|loschung|entfernen)(?: \\p{L}{1,14}){0,4} (?:daten|kontaktdaten|adresse)|(?:meine|unsere)(?: \\p{L}{1,14}){0,3} daten(?: \\p{L}{1,14}){0,5} (?:loschen|entfernen)|widerspr(?:eche|uch|echen wir)[^.!?]{0,40}(?:verarbeitung|nutzung|werb|kontakt|daten|zusendung)|dsgvo|datenschutz-?(?:verstoss|verletzung|beauftragte)|abmahn|unterlassungs',
      ],
    ],
    refusal: [
      [
        'not-interested',
        '(?:kein|keinerlei|null|wenig|nicht|ohne)(?: \\p{L}{1,14}){0,3} (?:interesse|interessiert|interessant)(?!\\p{L})|kein interesse|uninteress|desinteresse',
      ],
      [
        'declines',
        '(?<!\\p{L})nein,? (?:danke|vielen dank|besten dank|kein|leider|wir|ich|das)|^(?:hallo[^.!,]{0,20}[,.!] ?)?(?:nein|ne|no)[.!]*$|danke,? nein|(?:muss|mussen|mochte|mochten|werde|werden)(?: \\p{L}{1,14}){0,5} (?:absagen|ablehnen|verzichten)|lehnen? (?:wir|ich)?(?: \\p{L}{1,14}){0,3} ?ab(?!\\p{L})|(?:wir|ich) verzichten?|(?:danke|dank),? aber|nehmen abstand|absage',
      ],
      [
        'no-need',
        '(?:kein|keinen|keinerlei|nicht)(?: \\p{L}{1,14}){0,3} (?:bedarf|verwendung|benotig\\p{L}{0,3}|gebraucht|notwendig|notig)|(?:brauchen|benotigen) (?:wir|ich|sie)?(?: \\p{L}{1,12}){0,4} ?(?:nicht|nichts|kein)|nicht (?:auf der suche|relevant|passend|das richtige|unser thema)|passt (?:leider )?nicht|suchen (?:derzeit |aktuell )?(?:nicht|nichts|kein)',
      ],
      [
        'has-a-solution',
        '(?:bereits|schon)(?: \\p{L}{1,16}){0,6} (?:partner|losung|anbieter|dienstleister|agentur|tool|system|versorgt|aufgestellt|abgedeckt|im einsatz|zusammen|vergeben|eingesetzt)|(?:gut|bestens|ausreichend) (?:versorgt|aufgestellt|bedient|ausgestattet|abgedeckt)|sind (?:sehr )?zufrieden|intern (?:gelost|abgedeckt)',
      ],
      [
        'no-budget',
        'kein(?:e|en)?(?: \\p{L}{1,12}){0,2} (?:budget|mittel|kapazitat|kapazitaten|ressourcen|zeit)|zu teuer',
      ],
      [
        'decided-against',
        '(?:dagegen|anders|anderen? (?:anbieter|losung)) entschieden|nicht (?:weiterverfolgen|weiter verfolgen|in frage|infrage)|kommt (?:fur uns )?nicht in',
      ],
      [
        'hostile',
        'lassen sie mich in ruhe|in ruhe lassen|(?:das|dies) ist spam|belastig|unverschamt|frechheit|zeitverschwendung|unerwunschte? (?:werbung|mail|e-?mail)',
      ],
    ],
    referral: [
      [
        'names-another',
        '(?:wenden sie sich|kontaktieren sie|schreiben sie|sprechen sie|melden sie sich|ansprechpartner(?:in)?(?: \\p{L}{1,12}){0,4} (?:ist|ware)|zustandig(?: \\p{L}{1,12}){0,3} ist)(?: \\p{L}{1,12}){0,4} (?:an |bei |mit |herrn?|frau|mein|unser|die|den|der|\\S{1,40}@)|(?:habe|werde|hab)(?: \\p{L}{1,14}){0,6} (?:weitergeleitet|weiterleiten|weitergegeben|weitergeben)|leite (?:ich )?(?:es|das|ihre|deine|sie)(?: \\p{L}{1,14}){0,6} weiter',
      ],
    ],
    'wrong-person': [
      [
        'wrong-person',
        'nicht (?:der|die) (?:richtige[nr]?|zustandige[nr]?|passende[nr]?)|(?:bin|sind) (?:dafur |hierfur |leider )*nicht (?:mehr )?(?:zustandig|verantwortlich)|falsche[rn]? (?:ansprechpartner|person|adresse|abteilung|kontakt)|nicht in meine[nr]? (?:bereich|zustandigkeit|verantwortung)',
      ],
      [
        'left-the-company',
        '(?:nicht mehr|arbeite nicht)(?: \\p{L}{1,14}){0,4} (?:im unternehmen|tatig|beschaftigt|angestellt|in der firma|fur (?:die )?firma)|(?:unternehmen|firma) verlassen|im ruhestand',
      ],
    ],
    later: [
      [
        'not-now',
        '(?:derzeit|aktuell|momentan|zurzeit|im moment|zur zeit|gerade)(?: \\p{L}{1,12}){0,3} (?:nicht|kein|keine|keinen)|(?:noch|jetzt) nicht|nicht (?:jetzt|aktuell|derzeit|heute|der richtige zeitpunkt|zum jetzigen)|falscher zeitpunkt|schlechter zeitpunkt|zu fruh',
      ],
      [
        'another-time',
        '(?:spater|nachstes (?:jahr|quartal)|nachsten monat|im (?:fruhjahr|sommer|herbst|winter|neuen jahr|kommenden jahr|q[1-4]|januar|februar|marz|april|mai|juni|juli|august|september|oktober|november|dezember)|in (?:einigen|ein paar|zwei|drei|sechs|\\d) (?:wochen|monaten)|nach (?:dem urlaub|den ferien|weihnachten))(?: \\p{L}{1,12}){0,4} (?:melden|kontaktieren|nochmal|noch einmal|erneut|wieder|sprechen|kontakt)|(?:melden|kontaktieren|kommen|fragen) sie sich?(?: \\p{L}{1,12}){0,4} (?:spater|nachstes|nachsten|in (?:einigen|ein|zwei|drei|sechs|\\d)|im (?:fruhjahr|sommer|herbst|winter|neuen|q[1-4]|januar|februar|marz|april|mai|juni|juli|august|september|oktober|november|dezember))|auf sie zu(?:kommen|ruck)?|komme(?:n)? (?:gegebenenfalls |ggf\\.? |bei bedarf )?(?:wieder )?auf sie|behalte(?:n)?(?: \\p{L}{1,12}){0,4} (?:hinterkopf|im blick)',
      ],
    ],
    interest: [
      [
        'interested',
        '(?:habe|haben|hatte|hatten|hat|besteht|grosses|durchaus|grundsatzlich|prinzipiell|sehr|generell)(?: \\p{L}{1,12}){0,3} interesse|(?:bin|sind|ware|waren)(?: \\p{L}{1,12}){0,3} interessiert|interesse (?:besteht|ist da|ja|vorhanden)|interessiert (?:mich|uns)',
      ],
      [
        'sounds-good',
        '(?:klingt|hort sich|horen sich|sieht|liest sich|klingen)(?: \\p{L}{1,12}){0,3} (?:gut|super|interessant|spannend|toll|prima|perfekt|vielversprechend|klasse)(?!\\p{L})|gute idee',
      ],
      [
        'agrees-to-talk',
        `(?:gerne?|lassen sie uns|lass uns|konnen wir|konnten wir|wollen wir|sollen wir|freue mich|freuen uns|wurde(?:n)?|mochte(?:n)?)(?: [\\p{L}\\d:.]{1,14}){0,7} ${TALK}|(?:termin|gesprach|telefonat|austausch|call)(?: \\p{L}{1,12}){0,3} (?:vereinbaren|ausmachen|machen|passt|gerne|vorschlagen)|(?:rufen sie|ruf)(?: \\p{L}{1,12}){0,3} (?:an|durch)(?!\\p{L})|sehr gerne?[.!]?(?:$| )`,
      ],
      [
        'proposes-time',
        `(?:${DAY}|${TIME})(?: [\\p{L}\\d:.]{1,12}){0,5} (?:passt|passen|ginge|gehen|geht|moglich|ware|klappt|frei|zeit)(?!\\p{L})(?! nicht)|(?:passt|ginge|geht|hatte zeit|habe zeit|haben sie|frei|wie ware|wie ware es)(?: [\\p{L}\\d:.]{1,12}){0,5} (?:${DAY}|${TIME})|wann (?:passt|hatten sie|haben sie|ginge|konnen|konnten)`,
      ],
      [
        'asks-for-material',
        `(?:senden|schicken|mailen|ubersenden|zusenden|lassen|geben|zukommen)(?: \\p{L}{1,14}){0,8} (?:${MATERIAL})|(?:mehr|weitere|nahere) (?:info|informationen|details|unterlagen)(?!\\p{L})|(?:${MATERIAL})(?: \\p{L}{1,14}){0,5} (?:zusenden|zuschicken|zukommen|schicken|senden)(?!\\p{L})|mehr (?:daruber|dazu) (?:erfahren|wissen|horen)`,
      ],
      [
        'telephone',
        '(?:erreichen|rufen|anrufen|telefonisch)(?: \\p{L}{1,12}){0,5} (?:unter|an)(?: der)?(?: nummer)? ?\\+?\\d|meine (?:nummer|telefonnummer|handynummer|durchwahl)',
      ],
      [
        'looks-forward',
        'ja,? (?:gerne?|bitte|das passt|klar|sehr|unbedingt|interessiert|wir|ich)|freue mich auf (?:das|unser|ihr|den|ein|unseren)',
      ],
    ],
    'weak-interest': [
      [
        'agrees',
        '^(?:hallo[^.!,]{0,20}[,.!] ?)?(?:ja|gerne?|klar|naturlich|selbstverstandlich|ok|okay|einverstanden|passt|super|perfekt)(?: gerne?| bitte| danke| klar)?[.! ]*$',
      ],
      ['mentions-interest', '(?<!\\p{L})(?:interessiert|interessant|spannend)(?!\\p{L})'],
    ],
    question: [
      ['asks-who', 'wer sind sie|woher haben sie|wie (?:sind|kommen) sie (?:an|auf|zu)|um was geht es|worum geht'],
      ['asks-price', '(?:was|wie ?viel)(?: \\p{L}{1,12}){0,4} (?:kostet|kosten|preis)|welche (?:kosten|preise)'],
      [
        'asks-about',
        '(?:wie|was|wer|wo|wann|warum|welche\\p{L}?|konnen|konnten|haben|gibt|ist|sind|bieten|kann|wurde)(?: \\S{1,20}){1,25} ?\\?',
      ],
    ],
    thanks: [
      [
        'thanks-only',
        '^(?:(?:hallo|guten tag|liebe[r]?)[^.!,]{0,20}[,.!] ?)?(?:vielen |herzlichen |besten )?(?:danke?|erhalten|zur kenntnis genommen)(?: \\p{L}{1,14}){0,6}[.! ]*$',
      ],
    ],
  },
};
