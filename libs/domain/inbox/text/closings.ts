import { fold } from './fold';

/** Folded closings by language. A line that consists of one begins the signature. */
const CLOSINGS = [
  // English
  '(?:kind|best|warm|warmest|kindest|many|with|with (?:kind|best|warm))? ?(?:regards|wishes)|regards|rgds|brgds|br|kr|best|all the best|cheers|sincerely|yours(?: (?:sincerely|truly|faithfully))?|' +
    'sincerely yours|respectfully|cordially|warmly|(?:many )?thanks(?: (?:a lot|again|so much|and (?:kind |best |warm )?regards))?|thank you(?: (?:again|and (?:kind |best |warm )?regards))?|thx|take care|talk soon',
  // German
  '(?:mit |viele |beste |liebe |freundliche |herzliche |schone |sonnige )*(?:freundlichen?|besten?|herzlichen?|lieben?|vielen?|schonen?)? ?(?:grussen?|gruesse|grusse|gruss|empfehlungen)(?: (?:aus|vom|nach) \\p{L}{2,30})?|' +
    'mfg|lg|vg|hochachtungsvoll|(?:vielen|besten|herzlichen) dank(?: und (?:viele|beste|liebe|freundliche) (?:grusse|gruesse|gruss))?|danke(?: und (?:gruss|grusse|gruesse))?',
  // French
  '(?:bien )?cordialement|(?:bien )?(?:cordialement|amicalement|sincerement|respectueusement)(?: (?:a vous|votre))?|cdt|cdlt|bien a vous|salutations(?: (?:distinguees|cordiales))?|' +
    "(?:bonne|belle|excellente) (?:journee|soiree|reception)|sinceres salutations|meilleures salutations|merci(?: (?:beaucoup|d'avance|par avance))?(?: et bonne journee)?",
  // Spanish
  '(?:un )?(?:cordial(?:es)?|atento|afectuoso)? ?saludos?(?: cordial(?:es)?)?|(?:muy )?atentamente|atte|un abrazo|(?:muchas )?gracias(?: y (?:un )?saludos?)?',
  // Portuguese
  '(?:com (?:os )?)?(?:melhores|os melhores)? ?cumprimentos|atenciosamente|att|abracos?|um abraco|(?:muito )?obrigad[oa]|cordialmente|saudacoes',
  // Dutch
  '(?:met )?(?:vriendelijke|hartelijke|beste)? ?groet(?:en)?|mvg|groetjes|hoogachtend|(?:alvast )?bedankt',
  // Italian
  '(?:cordiali|distinti|cari|un cordiale|i migliori)? ?saluti?|cordialmente|buona (?:giornata|serata)|grazie(?: mille)?(?: e (?:cordiali )?saluti)?',
  // Polish, Czech
  '(?:z (?:powazaniem|wyrazami szacunku)|(?:serdecznie )?pozdrawiam(?: serdecznie)?|pozdrowienia|(?:serdecznie )?dziekuje)|s (?:pozdravem|uctou)|(?:srdecne )?zdravim|dekuji',
  // Swedish, Danish, Norwegian, Finnish
  '(?:med |basta |vanliga |venlige? |varme |beste )*(?:vanliga?|venlige?n?|vennlige?|hjertelig|beste|de bedste|bedste|varma?|varme)? ?(?:halsning(?:ar)?|hilsen(?:er)?|hilsner)|mvh|vh|hilsen|halsningar|tack|tak|takk|' +
    '(?:ystavallisin |parhain )?terveisin|(?:ystavalliset )?terveiset|t:|kiitos',
  // Russian
  'с (?:уважением|наилучшими пожеланиями)|всего доброго|спасибо',
  // Turkish, Hungarian, Romanian
  'saygilarimla|iyi calismalar|udvozlettel|cu stima',
  // Japanese, Chinese, Korean
  '敬具|以上|よろしくお願い(?:いた|致)?します|よろしくお願い申し上げます|此致|敬礼|顺祝商祺|祝好|谢谢|감사합니다',
];
const CLOSING = new RegExp(`^(?:${CLOSINGS.join('|')})[ ,.!;\u2013-]{0,4}$`, 'u');

/** Thanks that also serve as a closing: without a line below they are the message itself. */
const THANKS =
  /^(?:(?:many )?thank|thx|cheers|merci|(?:muchas )?gracias|grazie|(?:muito )?obrigad|(?:alvast )?bedankt|danke|(?:vielen|besten|herzlichen) dank|(?:serdecznie )?dziekuje|tack|tak|kiitos|dekuji|спасибо|谢谢|감사)/u;

/** Longest line that can be a closing. */
const MAX_CHARS = 60;

export type Closing = 'closing' | 'thanks';

/** Classifies a line that consists of a closing; null for "Thanks, that helps". */
export function findClosing(text: string): Closing | null {
  if (text.length > MAX_CHARS) return null;
  const folded = fold(text)
    .replace(/[\p{Extended_Pictographic}\ufe0f]/gu, '')
    .trim()
    .replace(/\s+/g, ' ');
  if (folded === '' || !CLOSING.test(folded)) return null;
  return THANKS.test(folded) ? 'thanks' : 'closing';
}

/** Lines that phones and programs add. */
const SENT_FROM =
  /^(?:sent from (?:my |the |an? |outlook|mail|yahoo|proton|gmail|samsung|huawei|\p{L}{1,20} ?mail)|sent (?:via|with|using) |get (?:outlook|bluemail|spark|boxer|yahoo|gmail) |download (?:the )?(?:outlook|yahoo)|(?:von meinem |von unterwegs|gesendet (?:von|mit|uber)|diese nachricht wurde von mein)|(?:envoye|provenance) (?:de|depuis|a partir|avec|:)|telecharge[rz]? outlook|enviado (?:desde|do|de|a partir)|enviado pelo|obtener outlook|verzonden (?:vanaf|met|via|vanuit)|verstuurd vanaf|inviato d|ottieni outlook|scarica outlook|wyslan[eoy] (?:z|za)|skickat fran|sendt fra|sendt med|hamta outlook|lahetetty (?:minun )?|odeslano z|отправлено (?:с|из)|iphoneから送信|ipadから送信|发自我的|從我的|来自我的|나의 \p{L}+에서 보냄|iphone'umdan gonderildi|trimis de pe|kuldve az )/u;

/** Whether a phone or program adds the line to every mail. */
export function isSentFrom(text: string): boolean {
  const folded = fold(text.slice(0, 200))
    .trim()
    .replace(/^[<([*_-]{1,3} ?/, '');
  return text.length <= 120 && SENT_FROM.test(folded) && !/[?!]$/.test(folded);
}

/** Folded beginnings of legal disclaimers. */
const DISCLAIMER =
  /^(?:[*_# -]{0,40}(?:disclaimer|confidentiality (?:notice|note)|legal (?:notice|disclaimer)|privileged|important notice|haftungsausschluss|vertraulichkeitshinweis|aviso (?:legal|de confidencialidad(?:e)?|importante)|avis de confidentialite|avertissement|avvertenza|klauzula|ansvarsfriskrivning)\b|[*_-]{0,3} ?(?:this|the (?:information|contents?)(?: contained)? (?:in|of) this|the contents? of this|any (?:views|opinions) expressed in this) (?:e-?mail|message|communication|transmission)\b.{0,160}(?:confidential|intended|privileged|contain)|the information (?:contained )?in this (?:e-?mail|message)|please consider the environment|think before you print|(?:diese|der inhalt dieser) (?:e-?mail|nachricht)\b.{0,120}(?:vertraulich|bestimmt|enthalt)|(?:ce|le contenu de ce|les informations contenues dans ce) (?:message|courriel|mail|courrier electronique)\b.{0,120}(?:confidentiel|destin|contien|etabli)|(?:este|la informacion contenida en este|el contenido de este|esta) (?:mensaje|correo|e-?mail|mensagem|comunicacion)\b.{0,160}(?:confidencial|destina|dirig|contiene|contem)|(?:dit bericht|deze e-?mail|de informatie (?:in|verzonden)).{0,120}(?:vertrouwelijk|bestemd|bedoeld)|(?:questo messaggio|questa e-?mail|le informazioni contenute).{0,160}(?:riservat|confidenzial|destinat)|(?:niniejsz|ta wiadomosc).{0,160}(?:poufn|przeznaczon)|(?:detta|dette|denne) (?:meddelande|e-?post|e-?mail|mail).{0,120}(?:konfidentiel|fortrolig|avsed)|настоящее сообщение.{0,120}конфиденциальн|この(?:メール|電子メール).{0,80}(?:機密|宛先)|本邮件.{0,60}(?:保密|机密))/u;

export function isDisclaimer(text: string): boolean {
  return text.length >= 10 && DISCLAIMER.test(fold(text.slice(0, 300)).trim());
}

/** Warnings that the recipient's gateway puts above external mail. */
const BANNER =
  /^[[*_! -]{0,6}(?:(?:caution|warning|external|achtung|attention|vorsicht|let op|attenzione|precaucion|atencao)\b.{0,20}(?:this (?:e-?mail|message)|external|diese (?:e-?mail|nachricht)|ce (?:message|courriel)|questa e-?mail|este (?:correo|mensaje|e-?mail)|deze e-?mail)|external (?:e-?mail|sender)\b|this (?:e-?mail|message) (?:originated|came|was sent) from (?:outside|an external)|you don't often get (?:e-?mail|mail) from)/u;

export function isBanner(text: string): boolean {
  return text.length >= 10 && BANNER.test(fold(text.slice(0, 200)).trim());
}
