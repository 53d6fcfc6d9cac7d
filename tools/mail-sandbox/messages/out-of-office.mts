import { mailbox, mailDate, message, text, type Header } from './mime.mts';
import { getDomain, threadHeaders, type Making, type Original } from './original.mts';
import { personName } from './people.mts';

interface Phrases {
  locale: string;
  /** Put in front of the original's subject. */
  subject: string;
  body: (until: string, name: string) => string;
}

/** As people write them; `until` is the day on which they are back. */
const LANGUAGES = {
  en: {
    locale: 'en-GB',
    subject: 'Automatic reply: ',
    body: (until, name) =>
      `Thank you for your email.\n\nI am out of the office and will return on ${until}. In urgent cases please call our reception.\n\nKind regards\n${name}`,
  },
  de: {
    locale: 'de-DE',
    subject: 'Automatische Antwort: ',
    body: (until, name) =>
      `Guten Tag,\n\nvielen Dank für Ihre Nachricht. Ich bin derzeit nicht im Büro und ab dem ${until} wieder erreichbar. Ihre E-Mail wird nicht weitergeleitet.\n\nMit freundlichen Grüßen\n${name}`,
  },
  fr: {
    locale: 'fr-FR',
    subject: 'Réponse automatique : ',
    body: (until, name) =>
      `Bonjour,\n\nJe suis actuellement absent du bureau et serai de retour le ${until}. Je vous répondrai dès mon retour.\n\nCordialement,\n${name}`,
  },
  es: {
    locale: 'es-ES',
    subject: 'Respuesta automática: ',
    body: (until, name) =>
      `Hola:\n\nEstoy fuera de la oficina y volveré el ${until}. Responderé a su mensaje a mi regreso.\n\nUn saludo,\n${name}`,
  },
  it: {
    locale: 'it-IT',
    subject: 'Risposta automatica: ',
    body: (until, name) =>
      `Buongiorno,\n\nsono fuori ufficio e rientrerò il ${until}. Risponderò al suo messaggio al mio rientro.\n\nCordiali saluti\n${name}`,
  },
  nl: {
    locale: 'nl-NL',
    subject: 'Automatisch antwoord: ',
    body: (until, name) =>
      `Beste,\n\nIk ben momenteel niet aanwezig. Vanaf ${until} ben ik weer op kantoor en beantwoord ik uw bericht.\n\nMet vriendelijke groet,\n${name}`,
  },
  pt: {
    locale: 'pt-BR',
    subject: 'Resposta automática: ',
    body: (until, name) =>
      `Olá,\n\nestou fora do escritório e retorno no dia ${until}. Responderei assim que possível.\n\nAtenciosamente,\n${name}`,
  },
  pl: {
    locale: 'pl-PL',
    subject: 'Odpowiedź automatyczna: ',
    body: (until, name) =>
      `Dzień dobry,\n\njestem obecnie poza biurem. Wracam ${until} i wtedy odpowiem na Państwa wiadomość.\n\nZ poważaniem\n${name}`,
  },
  sv: {
    locale: 'sv-SE',
    subject: 'Autosvar: ',
    body: (until, name) =>
      `Hej,\n\nJag är inte på kontoret just nu och är tillbaka den ${until}. Jag svarar när jag är tillbaka.\n\nVänliga hälsningar\n${name}`,
  },
  ja: {
    locale: 'ja-JP',
    subject: '自動応答: ',
    body: (until, name) =>
      `お世話になっております。\n\nただいま休暇中のため不在にしております。${until}に出社いたします。\n\n${name}`,
  },
} satisfies Record<string, Phrases>;

export type Language = keyof typeof LANGUAGES;
export const OOO_LANGUAGES = Object.keys(LANGUAGES) as Language[];

export interface OutOfOfficeKind {
  language: Language;
  /** Sent by an old system: no header says that a machine wrote it. */
  bare: boolean;
}

const DAY_MS = 86_400_000;

/** Three to fourteen days from now, the same for the same person. */
export function returnDate(address: string, now: Date): Date {
  return new Date(now.getTime() + (3 + (address.length % 12)) * DAY_MS);
}

/** Goes to the envelope sender (RFC 3834), with the headers of the system that sent it. */
export function outOfOffice(original: Original, { language, bare }: OutOfOfficeKind, making: Making): Buffer {
  const words: Phrases = LANGUAGES[language];
  const { recipient } = original;
  const { full } = personName(recipient);
  const back = returnDate(recipient, making.now);
  const until = back.toLocaleDateString(words.locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const headers: Header[] = [
    ['Return-Path', '<>'],
    ['From', mailbox(full, recipient)],
    ['To', `<${original.envelopeFrom}>`],
    ['Subject', `${words.subject}${original.subject}`],
    ['Date', mailDate(making.now)],
    ['Message-ID', `<ooo.${making.id}@${getDomain(recipient)}>`],
    ...threadHeaders(original),
    ...(bare ? [] : getMarkers(recipient)),
  ];
  return message(headers, text('plain', `${words.body(until, full)}\n`));
}

/** Exchange, Gmail, and a Unix vacation program say the same thing in their own ways. */
function getMarkers(address: string): Header[] {
  const systems: Header[][] = [
    [
      ['Auto-Submitted', 'auto-generated'],
      ['X-Auto-Response-Suppress', 'All'],
      ['X-MS-Exchange-Inbox-Rules-Loop', address],
    ],
    [
      ['Auto-Submitted', 'auto-replied'],
      ['Precedence', 'bulk'],
      ['X-Autoreply', 'yes'],
    ],
    [
      ['Auto-Submitted', 'auto-replied (vacation)'],
      ['Precedence', 'junk'],
    ],
  ];
  return systems[address.length % systems.length] ?? [];
}
