/** The role of an element, by the id, class, name or style that mail clients give it. */
export type Mark =
  /** Contains history. */
  | 'quote'
  /** Looks like a quote but is indentation by the author. */
  | 'indent'
  /** History begins here and continues to the end. */
  | 'cut'
  /** As `cut`, but only before a copied header. */
  | 'rule'
  | 'signature'
  /** Not shown to the reader. */
  | 'hidden';

export type Attributes = ReadonlyMap<string, string>;

interface MarkRule {
  /** The client. */
  readonly name: string;
  readonly mark: Mark;
  readonly tag?: string;
  readonly attribute:
    | 'id'
    | 'class'
    | 'name'
    | 'style'
    | 'type'
    | 'data-marker'
    | 'data-smartmail'
    | 'hidden'
    | 'tabindex';
  readonly value: RegExp;
}

/** Outlook prefixes the ids and classes of quoted HTML with `x_`. */
const MARKS: readonly MarkRule[] = [
  { name: 'not displayed', mark: 'hidden', attribute: 'style', value: /display:\s?none|mso-hide:\s?all/i },
  { name: 'not displayed', mark: 'hidden', attribute: 'hidden', value: /^/ },
  {
    name: 'Gmail, indented',
    mark: 'indent',
    tag: 'blockquote',
    attribute: 'style',
    value: /border:\s?none(?!.{0,40}border-left)/i,
  },
  { name: 'Gmail, attribution', mark: 'quote', attribute: 'class', value: /\bgmail_attr\b/ },
  { name: 'Yahoo', mark: 'quote', attribute: 'class', value: /yahoo_quoted/ },
  { name: 'Yahoo', mark: 'quote', attribute: 'id', value: /yahoo_quoted|^yahooMailBody$/ },
  { name: 'ProtonMail', mark: 'quote', attribute: 'class', value: /\bprotonmail_quote\b/ },
  { name: 'Tutanota', mark: 'quote', attribute: 'class', value: /\btutanota_quote\b/ },
  { name: 'Thunderbird, attribution', mark: 'quote', attribute: 'class', value: /\bmoz-cite-prefix\b/ },
  { name: 'Thunderbird, forward', mark: 'quote', attribute: 'class', value: /\bmoz-forward-container\b/ },
  { name: 'Zoho', mark: 'quote', attribute: 'class', value: /\bzmail_extra\b/ },
  { name: 'GMX, Web.de', mark: 'quote', tag: 'div', attribute: 'name', value: /^quote$/ },
  { name: 'Spark', mark: 'quote', attribute: 'name', value: /^messageReplySection$/ },
  { name: 'Airmail', mark: 'quote', attribute: 'class', value: /\bbloop_original_html\b/ },
  {
    name: 'Edison, Newton, Front, Missive',
    mark: 'quote',
    attribute: 'class',
    value: /\b(?:edo|newton|front|missive|airmail)_quote\b/,
  },
  { name: 'Outlook for Mac', mark: 'quote', attribute: 'id', value: /\bOLK_SRC_BODY_SECTION$/ },
  { name: 'Outlook, new', mark: 'quote', attribute: 'id', value: /mail-editor-reference-message-container$/ },
  { name: 'Outlook on the web', mark: 'cut', attribute: 'id', value: /^(?:x_)*(?:divRplyFwdMsg|appendonsend)$/ },
  { name: 'Outlook on the web', mark: 'cut', tag: 'hr', attribute: 'tabindex', value: /^-1$/ },
  {
    name: 'Outlook for iOS and Android',
    mark: 'cut',
    attribute: 'id',
    value: /ms-outlook-mobile-body-separator-line$/,
  },
  { name: 'Outlook Express', mark: 'cut', attribute: 'class', value: /\bOutlookMessageHeader\b/ },
  { name: 'Hotmail', mark: 'cut', tag: 'hr', attribute: 'id', value: /^(?:x_)*stopSpelling$/ },
  { name: 'Zimbra', mark: 'cut', attribute: 'id', value: /^zwchr$/ },
  { name: 'Zimbra', mark: 'cut', attribute: 'data-marker', value: /^__(?:DIVIDER|HEADERS|QUOTED_TEXT)__$/ },
  { name: 'Outlook', mark: 'rule', tag: 'div', attribute: 'style', value: /border-top:\s?solid\s#?(?:E1E1E1|B5C4DF)/i },
  {
    name: 'Windows Mail',
    mark: 'rule',
    tag: 'div',
    attribute: 'style',
    value: /border-top-color:\s?(?:rgb\(229|#e5e5e5)/i,
  },
  { name: 'Gmail', mark: 'signature', attribute: 'class', value: /\bgmail_signature(?:_prefix)?\b/ },
  { name: 'Gmail', mark: 'signature', attribute: 'data-smartmail', value: /^gmail_signature$/ },
  { name: 'Thunderbird', mark: 'signature', attribute: 'class', value: /\bmoz-signature\b/ },
  { name: 'Outlook', mark: 'signature', attribute: 'id', value: /^(?:x_)*(?:ms-outlook-mobile-)?signature$/i },
  { name: 'ProtonMail', mark: 'signature', attribute: 'class', value: /\bprotonmail_signature_block\b/ },
  {
    name: 'Apple, Samsung',
    mark: 'signature',
    attribute: 'id',
    value: /^(?:AppleMailSignature|(?:x_)*composer_signature)$/,
  },
  { name: 'Yahoo', mark: 'signature', attribute: 'id', value: /ymail_(?:android|ios)_signature$/ },
  { name: 'Yahoo', mark: 'signature', attribute: 'class', value: /\b(?:ydp\w{0,40})?(?:yahoo-)?signature\b/ },
  { name: 'Spark', mark: 'signature', attribute: 'name', value: /^messageSignatureSection$/ },
  { name: 'Zimbra', mark: 'signature', attribute: 'data-marker', value: /^__SIG_(?:PRE|POST)__$/ },
  { name: 'Airmail', mark: 'signature', attribute: 'class', value: /\bbloop_sign\b/ },
];

/** Characters of an attribute value that are read. */
const MAX_VALUE = 500;

/** Returns the mark of the first rule that matches; an unknown blockquote is a quote. */
export function findMark(tag: string, attributes: Attributes): Mark | null {
  for (const rule of MARKS) {
    if (rule.tag !== undefined && rule.tag !== tag) continue;
    const value = attributes.get(rule.attribute);
    if (value !== undefined && rule.value.test(value.slice(0, MAX_VALUE))) return rule.mark;
  }
  return tag === 'blockquote' ? 'quote' : null;
}
