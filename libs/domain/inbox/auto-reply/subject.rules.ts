import { fold } from '../text/fold';

/** Folded names that mail programs give their automatic answers, by language. */
const AUTOMATIC =
  'automatic reply|automated reply|automatic response|automated response|auto[- ]?reply|auto[- ]?response|autoresponse|auto[- ]?respond(?:er)?|autoreply|' +
  'automatische (?:antwort|abwesenheitsnotiz|ruckantwort|ruckmeldung|eingangsbestatigung)|automatische e-?mail|reponse automatique|respuesta automatica|contestacion automatica|resposta automatica|' +
  'automatisch(?:e)? (?:antwoord|reactie|bericht|afwezigheidsbericht)|risposta automatica|odpowiedz automatyczna|automatyczna odpowiedz|autosvar|automatiskt svar|automatisk (?:svar|svarmelding)|' +
  'automaattinen (?:vastaus|poissaoloviesti)|automaattivastaus|automaticka odpoved|automatikus valasz|otomatik (?:yanit|cevap)|raspuns automat|автоматический ответ|автоответ|автовідповідь|' +
  '自動応答|自動返信|自动回复|自动答复|自動回覆|자동 ?회신|자동 ?응답|automatska? (?:odgovor|poruka)|samodejni odgovor|αυτοματη απαντηση';
/** Folded names of absence. */
const ABSENCE =
  'out of (?:the )?office|ooo|oof|out of office autoreply|vacation (?:reply|response|message|notice)|on (?:annual |maternity |parental )?(?:leave|vacation|holiday)|away from (?:the office|my desk|my mail)|' +
  "abwesenheitsnotiz|abwesenheit(?:snachricht|smeldung|sbenachrichtigung|sassistent|sinfo)?|abwesend|nicht im (?:buro|buero|haus)|ausser haus|im urlaub|urlaub|absence (?:du bureau|prolongee|temporaire)|absence|absent(?:e)? du bureau|en conges?|message d'absence|" +
  'fuera de (?:la )?oficina|ausente|ausencia|mensaje de ausencia|de vacaciones|fora do escritorio|ausencia (?:temporaria|do escritorio)|ausente do escritorio|em ferias|de ferias|' +
  'afwezig(?:heid(?:sbericht|smelding|sassistent)?)?|niet op kantoor|buiten kantoor|fuori (?:sede|ufficio)|assenza|assente|messaggio di assenza|in ferie|' +
  'poza biurem|nieobecnosc|nieobecny|urlop|franvaro(?:meddelande)?|ej pa plats|inte pa kontoret|semester|fravaer(?:smelding|sbesked)?|ikke til ?stede|ikke pa kontoret|pa ferie|ferie|poissa(?:olo(?:ilmoitus|viesti)?)?|lomalla|poissa toimistosta|' +
  'mimo kancelar|nepritomnost|dovolena|вне офиса|нет в офисе|отсутствие|отпуск|в отпуске|不在通知|不在|休暇中?|外出中|休业|休假|不在办公室|外出|szabadsag|hazon kivul|ofis disinda';

const OPENING = String.raw`^(?:\[[^\]]{1,20}\] ?|\* ?|auto[:-] ?)*`;
/** After the name: nothing, or what marks it as a title of its own. */
const CLOSING = String.raw`(?= ?(?:[:：(\[!.|–—-]|$)| re\b| bis | until | jusqu| hasta | ate | tot | fino | do )`;
const TITLE_AUTOMATIC = new RegExp(`${OPENING}(?:${AUTOMATIC})(?!\\p{Ll})`, 'u');
const TITLE_ABSENCE = new RegExp(`${OPENING}(?:${ABSENCE})${CLOSING}`, 'u');
/** Lotus Notes and cPanel: "AUTO: Jane Doe is out of the office (returning 05/01/2026)". */
const NAMED_ABSENCE =
  /^auto: |\bis (?:currently )?(?:out of (?:the )?office|on (?:annual |maternity |parental )?leave|on vacation)\b|ist (?:derzeit |bis \S{1,12} )?(?:abwesend|nicht im (?:buro|buero|haus)|ausser haus|im urlaub)\b|est absente?\b|(?:esta|se encuentra) (?:fuera de la oficina|ausente)|is (?:afwezig|niet aanwezig|niet op kantoor)|e (?:fuori (?:ufficio|sede)|assente)\b/u;
/** A person answers what was automatic. */
const ANSWERED = /^(?:re|aw|antw|sv|vs|odp|ynt|rif|res|回复|答复|返信)\s?(?:\[\d+\])?[:：]/u;

/** Challenges of spam filters that ask the sender to prove that they are a person. */
const CHALLENGE_SUBJECT =
  /\b(?:please (?:verify|confirm) (?:yourself|your (?:message|e-?mail|identity|address))|verification required|(?:e-?mail|sender|message) (?:verification|confirmation|authentication) (?:required|request)|your (?:e-?mail|message) (?:requires|needs) verification|confirm (?:you are|you're) (?:human|a person)|action required to deliver your message|(?:boxbe|spamarrest|spam arrest|bitbounce|sanebox|mailwasher): |sender address verification)\b/;
/** Folded: confirmations of ticket systems and offices. */
const RECEIVED_SUBJECT =
  /^(?:\[[^\]]{1,40}\] ?)*(?:(?:we(?:'ve| have)? )?received your (?:e-?mail|message|request|enquiry|inquiry|ticket)|(?:your )?(?:request|ticket|case|enquiry|inquiry|message|e-?mail|application) (?:\(?[#\w-]{1,20}\)? )?(?:has been |was |is )?(?:received|created|opened|logged|registered)|(?:ticket|case|request) (?:created|received|confirmation)|eingangsbestatigung|accuse de reception|acuse de recibo|confirmacao de rece[pb](?:c?)ao|ontvangstbevestiging|conferma di (?:ricezione|ricevimento)|potwierdzenie otrzymania|mottagningsbekraftelse|kvittering|vastaanottoilmoitus)\b/;
const RECEIPT_SUBJECT =
  /^(?:read|gelesen|lu|leido|lida?|gelezen|letto|przeczytano|last|laest|lest|luettu|precteno|прочитано|開封済み|已读|not read|ungelesen geloscht|non lu)\s?: /;

export type SubjectKind = 'automatic' | 'absence' | 'named-absence' | 'challenge' | 'received' | 'receipt';

/** What a subject says of its mail by the words that programs put there, null when a person may have written it. */
export function subjectKind(subject: string): SubjectKind | null {
  const folded = fold(subject.slice(0, 300)).replace(/\s+/g, ' ').trim();
  if (ANSWERED.test(folded)) return null;
  if (TITLE_AUTOMATIC.test(folded)) return 'automatic';
  if (TITLE_ABSENCE.test(folded)) return 'absence';
  if (NAMED_ABSENCE.test(folded)) return 'named-absence';
  if (CHALLENGE_SUBJECT.test(folded)) return 'challenge';
  if (RECEIVED_SUBJECT.test(folded)) return 'received';
  return RECEIPT_SUBJECT.test(folded) ? 'receipt' : null;
}
