import { type LabelRules } from './label.rules';

const DAY =
  '(?:lune|marte|mercole|giove|vener)di|sabato|domenica|domani|oggi|(?:la )?(?:prossima settimana|settimana prossima)|questa settimana';
const TIME = '(?:alle )\\d{1,2}(?:[:.]\\d\\d)?|\\d{1,2}:\\d\\d|(?:di|in) (?:mattina|mattinata)|(?:di|nel) pomeriggio';
const MATERIAL =
  'info|informazion[ei]|dettagli|proposta|prezz[oi]|preventivo|brochure|presentazione|link|catalogo|esemp[io]{1,2}|invito|listino|offerta|demo|documentazione|materiale|tariffe';

export const ITALIAN: LabelRules = {
  language: 'it',
  negation: 'non|ne|mai|senza|nessun|nessuna|nessuno|neanche|nemmeno|poco',
  phrases: {
    shield: [
      ['no-objection', 'nessun problema|perche no|non esit\\p{L}{1,3}|non solo|senza problemi|non mi dispiace'],
      ['if-interested', '(?:se|qualora|nel caso|quando)(?: \\p{L}{1,12}){0,4} (?:interess|bisogno)[^.!?]{0,40}'],
      [
        'asks-interest',
        '(?:siete|sei|e|sarebbe|sareste) (?:lei |voi )?(?:interessat)[^.!?]{0,30}|(?:le|vi|ti) interess(?:a|erebbe)',
      ],
    ],
    'opt-out': [
      [
        'off-the-list',
        '(?:rimuov|cancell|tog|elimin|rimoss|disiscriv|disiscri)\\p{L}{0,5}(?:mi|ci)?(?: (?:il mio|la mia|il nostro|questo|questa|mi))?(?: \\p{L}{1,12}| e-?mail){0,3} (?:dalla|dalle|dal|da) (?:\\p{L}{1,10} ){0,2}(?:list[ae]|elenco|database|mailing|newsletter|indirizzario|rubrica)|(?:cancell|rimuov|disiscriv|tog)(?:ate|ete|i|a|ere|are|ere|lie|lietem)(?:mi|ci)(?!\\p{L})|(?:vorrei|voglio|desidero|chiedo)(?: \\p{L}{1,10}){0,4} (?:cancell|rimoss|disiscri|disiscriv)\\p{L}{1,7}|^(?:per favore,? )?(?:cancellami|cancellatemi|disiscrivi(?:mi)?|rimuovimi|rimuovetemi|disiscrizione|cancellazione|stop)[.! ]*$|disiscri\\p{L}{2,7}',
      ],
      [
        'stop-writing',
        "non (?:(?:mi|ci|voglio|vogliamo|desidero|desideriamo|vorrei|piu) )*(?:inviat|scriv|contatt|mand|ricev|invi|disturb|essere contattat)\\p{L}{0,7}(?:mi|ci)? ?(?:piu|e-?mail|mail|messaggi|pubblicita|altr[ei]|comunicazioni)|non (?:mi |ci )?(?:contattate|scrivete|inviate|mandate|contattatemi|scrivetemi|inviatemi|mandatemi)(?:mi|ci)? (?:piu|altr|mail|e-?mail)|(?:smett|bast)\\p{L}{1,5} (?:di|con) (?:scriver|invia|contatta|manda|le|queste|mail)\\p{L}{0,5}|(?:basta|niente piu|nessun'altra) (?:e-?mail|mail|messaggi|spam)",
      ],
      [
        'data-erasure',
        "(?:cancell|elimin|rimuov|rimozion)\\p{L}{1,7}(?: \\p{L}{1,10}){0,3} dati|gdpr|diritto all'oblio|garante (?:della |per la )?privacy",
      ],
    ],
    refusal: [
      ['not-interested', '(?:non|ne|mai|nessun|senza|poco)(?: \\p{L}{1,12}){0,4} (?:interess\\p{L}{0,5})(?!\\p{L})'],
      [
        'declines',
        '(?<!\\p{L})no,? grazie|grazie,? ma|^(?:buongiorno[^.!,]{0,20}[,.!] ?|salve[^.!,]{0,20}[,.!] ?|ciao[^.!,]{0,20}[,.!] ?)?no[.! ]*$|(?:declin|rifiut)\\p{L}{1,5}|(?:purtroppo|spiacente|mi dispiace)[^.!?]{0,30} non(?!\\p{L})',
      ],
      [
        'no-need',
        'non(?: \\p{L}{1,12}){0,3} (?:bisogno|necessit\\p{L}{1,6}|serve|servono|cerchiamo|cercando|occorre|pertinente|adatt\\p{L}{1,2}|fa (?:per|al caso)|rientra|in linea|priorita)',
      ],
      [
        'has-a-solution',
        '(?:gia|attualmente)(?: \\p{L}{1,12}){0,4} (?:abbiamo|ho|collabor\\p{L}{1,6}|lavor\\p{L}{1,6}|utilizz\\p{L}{1,6}|usiamo|fornitore|fornitori|soluzione|partner|coperti|seguiti)|(?:abbiamo|ho) gia|(?:soddisfatt|content)\\p{L}{1,2} (?:del|della|di|con)',
      ],
      ['no-budget', '(?:non|senza|nessun)(?: \\p{L}{1,12}){0,3} (?:budget|risorse|fondi)|troppo (?:caro|costoso)'],
      [
        'decided-against',
        'deciso(?: \\p{L}{1,12}){0,3} (?:non|altro|altra)|non (?:intendiamo|vogliamo|possiamo|procediamo|procederemo|daremo)(?: \\p{L}{1,10}){0,2} ?(?:proseguire|procedere|seguito|andare avanti)?',
      ],
      ['hostile', '(?:questo|questa) e spam|perdita di tempo|lasciatemi in pace|lasciami in pace|truffa'],
    ],
    referral: [
      [
        'names-another',
        "(?:contatt|rivol|scriv|parl|senti)\\p{L}{1,6}(?:si|vi)?(?: \\p{L}{1,10}){0,3} (?:al|alla|con|il|la|mio|mia|nostro|nostra|sig|dott|a|\\S{1,40}@)(?: mio| mia| nostro| nostra| collega| sig| dott|\\p{L})|(?:la )?persona (?:giusta|corretta|di riferimento|incaricata|responsabile)(?: \\p{L}{1,8}){0,3} e(?!\\p{L})|(?:ho |l'ho |la )?(?:inoltr|gir|trasmess|passo|passat)\\p{L}{0,4}(?: \\p{L}{1,10}){0,4} (?:al|alla|a|ai)(?!\\p{L})",
      ],
    ],
    'wrong-person': [
      [
        'wrong-person',
        "non (?:sono|siamo|e)(?: \\p{L}{1,10}){0,3} (?:persona (?:giusta|corretta|adatta)|responsabile|referente|la persona|l'ufficio)|(?:persona|indirizzo|ufficio|contatto) sbagliat[oa]|non (?:me ne occupo|mi occupo|e di mia competenza)",
      ],
      [
        'left-the-company',
        "non (?:lavoro|lavora|faccio|fa)(?: \\p{L}{1,8}){0,2} piu|(?:lasciato|lascio) l'azienda|(?:in )?pensione",
      ],
    ],
    later: [
      [
        'not-now',
        "(?:per ora|al momento|per il momento|attualmente|adesso|ora|ancora) (?:no|non)(?!\\p{L})|non (?:per ora|al momento|ora|adesso|ancora|e il momento|quest'anno)|(?:piu avanti|momento sbagliato|troppo presto)",
      ],
      [
        'another-time',
        '(?:ricontatt|contatt|scriv|sent|risent|riparl|torn|riprend)\\p{L}{1,7}[^.!?]{0,30}(?:prossim|mese|mesi|anno|trimestre|gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre|piu tardi|piu avanti|dopo|estate|settimane)|(?:terro|terremo|tengo)(?: \\p{L}{1,8}){0,3} (?:presente|in considerazione)',
      ],
    ],
    interest: [
      [
        'interested',
        '(?:sono|siamo|sarei|saremmo|molto|si)(?: \\p{L}{1,10}){0,2} interessat\\p{L}|(?:mi|ci) interess(?:a|erebbe|ano)|(?:ho|abbiamo|avrei)(?: \\p{L}{1,8}){0,2} interesse|(?:mi|ci) piacerebbe|(?:vorrei|vorremmo) (?:saperne|sapere|conoscere|approfondire|fissare|ricevere|parlare|vedere)',
      ],
      [
        'sounds-good',
        '(?:sembra|pare|suona)(?:no)?(?: \\p{L}{1,10}){0,2} (?:bene|interessante|ottimo|ottima|perfetto|buono|una buona idea)|buona idea',
      ],
      [
        'agrees-to-talk',
        "(?:parliamone|sentiamoci|vediamoci|incontriamoci|fissiamo|organizziamo|facciamo una (?:call|chiamata))|(?:possiamo|potremmo|posso|potrei|volentieri|disponibil\\p{L}{1,2} (?:a|per))(?: \\p{L}{1,8}){0,2} (?:parlar\\p{L}{1,3}|sentir\\p{L}{1,3}|vedere|vederci|incontrar\\p{L}{1,3}|fissare|organizzare|fare una|discuter\\p{L}{1,3}|un(?:a)? (?:call|incontro|chiamata|demo))|(?:fissare|organizzare|programmare) un(?:a|')? ?(?:call|appuntamento|incontro|chiamata|demo|riunione)|(?:molto )?volentieri(?:[.,! ]|$)",
      ],
      [
        'proposes-time',
        `(?:disponibile|liber[oai]|posso|possiamo|potrei|va bene|che ne dice|facciamo|ci sentiamo)(?: [\\p{L}\\d:.]{1,10}){0,4} (?:${DAY}|${TIME})|(?:${DAY}|${TIME})(?: [\\p{L}\\d:.]{1,10}){0,5} (?:va bene|andrebbe|sarebbe|posso|mi va|per me|potrebbe|ok)|(?:quando|che giorno)(?: \\p{L}{1,8}){0,2} (?:puo|potrebbe|possiamo|potete|disponib)`,
      ],
      [
        'asks-for-material',
        `(?:invi|mand|condivid|gir|trasmett|fornir|far(?:mi|ci) avere)\\p{L}{0,6}(?:mi|ci)?(?: \\p{L}{1,12}){0,6} (?:${MATERIAL})|(?:maggiori|ulteriori|piu) (?:info|informazioni|dettagli)|saperne di piu|mi dica di piu|dimmi di piu`,
      ],
      [
        'telephone',
        '(?:chiam|contatt|telefon)\\p{L}{1,6}(?:mi|ci)?(?: \\p{L}{1,8}){0,3} (?:al|allo)(?: numero)? ?\\+?\\d|(?:il )?mio (?:numero|cellulare|telefono)|(?:mi chiami|chiamatemi|chiamami)(?!\\p{L})',
      ],
      [
        'looks-forward',
        'si,? (?:grazie|certo|volentieri|mi|ci|sono|siamo|possiamo|perfetto|per favore)|certamente|resto in attesa|attendo (?:sue|vostre|tue|la)',
      ],
    ],
    'weak-interest': [
      [
        'agrees',
        "^(?:buongiorno[^.!,]{0,20}[,.!] ?|salve[^.!,]{0,20}[,.!] ?|ciao[^.!,]{0,20}[,.!] ?)?(?:si|ok|certo|perfetto|va bene|d'accordo|ottimo|volentieri)(?: grazie| per favore)?[.! ]*$",
      ],
      ['mentions-interest', '(?<!\\p{L})interessante(?!\\p{L})'],
    ],
    question: [
      [
        'asks-who',
        'chi (?:siete|e|sei) |(?:come|dove)(?: \\p{L}{1,8}){0,2} (?:avuto|ottenuto|trovato)|di cosa si tratta',
      ],
      [
        'asks-price',
        'quanto (?:costa|costano|viene|costerebbe)|(?:qual|quali)(?: \\p{L}{1,6}){0,2} (?:prezzo|prezzi|costo|costi|tariffa)',
      ],
      [
        'asks-about',
        "(?:come|che|chi|dove|quando|perche|quale|quali|puo|potete|avete|offrite|c'e|cosa)(?: \\S{1,20}){1,25} ?\\?",
      ],
    ],
    thanks: [
      [
        'thanks-only',
        '^(?:buongiorno[^.!,]{0,20}[,.!] ?|salve[^.!,]{0,20}[,.!] ?|ciao[^.!,]{0,20}[,.!] ?)?(?:grazie|ricevuto|la ringrazio|molte grazie)(?: \\p{L}{1,12}){0,6}[.! ]*$',
      ],
    ],
  },
};
