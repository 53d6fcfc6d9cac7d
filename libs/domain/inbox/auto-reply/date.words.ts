/** How a language speaks of days. All are sources of regular expressions over folded text. */
export interface DateWords {
  /** January to December, alternatives in full and short. */
  readonly months: readonly string[];
  /** Monday to Sunday. */
  readonly weekdays: readonly string[];
  /** Before or behind a day: it is the first day back. */
  readonly back: string;
  /** Before or behind a day: it is the last day away. */
  readonly until: string;
  /** Before a day: the absence begins with it. */
  readonly since: string;
  /** Between the first and the last day. */
  readonly range: string;
  readonly tomorrow: string;
  readonly nextWeek: string;
  /** "Until" the day on which one is back, which is not the last day away. */
  readonly untilIsBack?: boolean;
  /** Words that make the named day the last one away whatever came before. */
  readonly inclusive: string;
}

export const ENGLISH: DateWords = {
  months: [
    'jan(?:uary)?',
    'feb(?:ruary)?',
    'mar(?:ch)?',
    'apr(?:il)?',
    'may',
    'june?',
    'july?',
    'aug(?:ust)?',
    'sept?(?:ember)?',
    'oct(?:ober)?',
    'nov(?:ember)?',
    'dec(?:ember)?',
  ],
  weekdays: [
    'mon(?:day)?',
    'tue(?:s(?:day)?)?',
    'wed(?:nesday)?',
    'thu(?:rs?(?:day)?)?',
    'fri(?:day)?',
    'sat(?:urday)?',
    'sun(?:day)?',
  ],
  back: 'back|return(?:s|ing)?|reachable again|available (?:again|from|as of|on)|resume|in the office (?:again )?(?:from|on)|contactable again|upon my return on|reopen(?:s|ing)?|again (?:from|on|as of)|respond(?:ing)? (?:to emails )?(?:from|on|as of)',
  until: 'until|till|til|through|thru|up to|to and including|ending|ends(?: on)?',
  since: 'from|starting|beginning|since|as of|between',
  range: 'to|through|thru|until|till|and|up to|-',
  tomorrow: 'tomorrow',
  nextWeek: 'next week',
  untilIsBack: true,
  inclusive: 'through|thru|inclusive(?:ly)?|including|incl\\.?|end(?:ing)? (?:of|on)|last day',
};

export const GERMAN: DateWords = {
  months: [
    'jan(?:uar)?|jaenner|janner',
    'feb(?:ruar)?',
    'm(?:a|ae)rz|mrz',
    'apr(?:il)?',
    'mai',
    'juni?',
    'juli?',
    'aug(?:ust)?',
    'sept?(?:ember)?',
    'okt(?:ober)?',
    'nov(?:ember)?',
    'dez(?:ember)?',
  ],
  weekdays: ['montag', 'dienstag', 'mittwoch', 'donnerstag', 'freitag', 'samstag|sonnabend', 'sonntag'],
  back: 'wieder|zuruck|zurueck|ruckkehr|erreichen sie mich (?:ab|am)|erreichbar (?:ab|am)|zuruckkehren',
  until: 'bis',
  since: 'vom|von|seit|ab dem|ab',
  range: 'bis(?: zum)?(?: einschliesslich)?|-|und',
  tomorrow: 'morgen',
  nextWeek: 'nachste woche|kommende woche|naechste woche',
  inclusive: 'einschliesslich|inklusive|inkl\\.?|einschl\\.?',
};

export const FRENCH: DateWords = {
  months: [
    'janv(?:ier)?|jan',
    'fevr?(?:ier)?',
    'mars',
    'avr(?:il)?',
    'mai',
    'juin',
    'juil(?:let)?',
    'aout',
    'sept?(?:embre)?',
    'oct(?:obre)?',
    'nov(?:embre)?',
    'dec(?:embre)?',
  ],
  weekdays: ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'],
  back: 'de retour|retour|reviendrai|reviens|serai (?:a nouveau )?(?:present|disponible|joignable)e?|a nouveau (?:present|disponible|joignable)e?|reprendrai|rentrerai|reprise|reouvr\\w{0,8}',
  until: "jusqu'au|jusqu'a|jusque",
  since: 'du|a partir du|depuis le|des le',
  range: "au|jusqu'au|-|et",
  tomorrow: 'demain',
  nextWeek: 'la semaine prochaine',
  inclusive: 'inclus(?:e|ivement)?|compris',
};

export const SPANISH: DateWords = {
  months: [
    'ene(?:ro)?',
    'feb(?:rero)?',
    'mar(?:zo)?',
    'abr(?:il)?',
    'mayo?',
    'jun(?:io)?',
    'jul(?:io)?',
    'ago(?:sto)?',
    'sep(?:t(?:iembre)?)?|setiembre',
    'oct(?:ubre)?',
    'nov(?:iembre)?',
    'dic(?:iembre)?',
  ],
  weekdays: ['lunes', 'martes', 'miercoles', 'jueves', 'viernes', 'sabado', 'domingo'],
  back: '(?:de|a mi) vuelta|vuelvo|volvere|regreso|regresare|de regreso|retorno|retornare|me reincorporo|reincorporare|reincorporacion|incorporare|estare (?:nuevamente )?disponible|disponible (?:a partir|desde|de nuevo)|reanudare',
  until: 'hasta',
  since: 'del|desde|a partir del?',
  range: 'al?|hasta el|hasta|-|y',
  tomorrow: 'manana',
  nextWeek: 'la (?:proxima semana|semana que viene)',
  inclusive: 'inclusive|incluido|ambos incluidos',
};

export const PORTUGUESE: DateWords = {
  months: [
    'jan(?:eiro)?',
    'fev(?:ereiro)?',
    'mar(?:co)?',
    'abr(?:il)?',
    'mai(?:o)?',
    'jun(?:ho)?',
    'jul(?:ho)?',
    'ago(?:sto)?',
    'set(?:embro)?',
    'out(?:ubro)?',
    'nov(?:embro)?',
    'dez(?:embro)?',
  ],
  weekdays: [
    'segunda(?:-feira)?',
    'terca(?:-feira)?',
    'quarta(?:-feira)?',
    'quinta(?:-feira)?',
    'sexta(?:-feira)?',
    'sabado',
    'domingo',
  ],
  back: 'de volta|volto|voltarei|regresso|regressarei|retorno|retornarei|estarei (?:novamente )?(?:disponivel|de volta)|disponivel a partir',
  until: 'ate',
  since: 'de|do|desde|a partir d[eo]',
  range: 'ate(?: ao?)?|a|ao|-|e',
  tomorrow: 'amanha',
  nextWeek: 'na proxima semana|semana que vem',
  inclusive: 'inclusive',
};

export const DUTCH: DateWords = {
  months: [
    'jan(?:uari)?',
    'feb(?:ruari)?',
    'maart|mrt',
    'apr(?:il)?',
    'mei',
    'juni?',
    'juli?',
    'aug(?:ustus)?',
    'sept?(?:ember)?',
    'okt(?:ober)?',
    'nov(?:ember)?',
    'dec(?:ember)?',
  ],
  weekdays: ['maandag', 'dinsdag', 'woensdag', 'donderdag', 'vrijdag', 'zaterdag', 'zondag'],
  back: 'terug|weer (?:aanwezig|bereikbaar|beschikbaar|op kantoor|aan het werk)|bereikbaar vanaf|weer|hervat',
  until: 'tot',
  since: 'van|vanaf|sinds',
  range: 'tot(?: en met| en)?|t/m|t\\.e\\.m\\.|-|en',
  tomorrow: 'morgen',
  nextWeek: 'volgende week',
  untilIsBack: true,
  inclusive: 'tot en met|t/m|t\\.e\\.m\\.',
};

export const ITALIAN: DateWords = {
  months: [
    'gen(?:naio)?',
    'feb(?:braio)?',
    'mar(?:zo)?',
    'apr(?:ile)?',
    'mag(?:gio)?',
    'giu(?:gno)?',
    'lug(?:lio)?',
    'ago(?:sto)?',
    'set(?:t(?:embre)?)?',
    'ott(?:obre)?',
    'nov(?:embre)?',
    'dic(?:embre)?',
  ],
  weekdays: ['lunedi', 'martedi', 'mercoledi', 'giovedi', 'venerdi', 'sabato', 'domenica'],
  back: 'rientr\\w{1,6}|torn(?:o|ero|eremo|ando)|di ritorno|ritorn\\w{1,5}|di nuovo (?:disponibile|in ufficio|operativ[oi])|nuovamente (?:disponibile|in ufficio|operativ[oi])|riaprir\\w{1,5}|riapertura|disponibile (?:dal|a partire)',
  until: "fino al(?:l')?|fino a|sino al(?:l')?",
  since: "dal(?:l')?|da|a partire dal",
  range: "al(?:l')?|fino al|-|e",
  tomorrow: 'domani',
  nextWeek: 'la (?:prossima settimana|settimana prossima)',
  inclusive: 'compres[oa]|inclus[oa]',
};
