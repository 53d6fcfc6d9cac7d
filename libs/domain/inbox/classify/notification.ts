import { foldDiagnostic } from './diagnostic-text';
import { readHeaderBlock } from './header-block';
import { toReturnedMessage } from './mail-parsing';
import { type ParsedMail, type ReturnedMessage } from './parsed-mail';

/** Lines and UTF-16 units of a report that are read. */
const MAX_LINES = 500;
const MAX_CHARS = 16_384;

/** Lines above a returned message. Folded, without leading blanks. */
const RETURNED_BELOW =
  /^(?:[-=*_#+.]{2,} ?)?(?:below (?:this|the next) line is a copy|this is a copy of (?:the|your)|(?:the |your |here is (?:the|your) )?(?:original|returned|unsent|undelivered) (?:message|mail|e-?mail)(?:'s)?(?: (?:headers?|info|text|follows?|is|below|attached|contents?))*\b ?[:.-]{0,20}$|(?:original|unsent|returned|undelivered) message (?:follows|below|headers?|is (?:attached|below|included))|message headers? follow|the headers? of the original message|included is (?:a )?copy of|mensaje original adjunto|the attachment contains the original|original message details|(?:the )?text of (?:your|the) (?:original )?message|copy of (?:your|the) (?:original )?message|en-tetes? (?:de|du) message|ursprungliche nachrichtenkopf|intestazioni originali|encabezados de mensajes? originales|cabecalhos da mensagem original|oorspronkelijke bericht|ursprungshuvuden|元のメッセージ|原始邮件标头|-------original m)/;

/** Header fields that a report's own text does not contain. */
const TRACE =
  /^(?:received: ?(?:from|by|\()|return-path: ?<|dkim-signature: |x-mailer: |mime-version: 1|x-originating-ip:|delivered-to: )/;

/** Lines that people's clients put above a quote or forward. */
const QUOTED_BELOW =
  /^(?:-{2,} ?(?:original message|forwarded message|forwarded by|ursprungliche nachricht|weitergeleitete nachricht|message (?:d'origine|transfere)|mensaje (?:original|reenviado)|mensagem (?:original|encaminhada)|messaggio (?:originale|inoltrato)|oorspronkelijk bericht|исходное сообщение|пересылаемое|原始邮件|转发的邮件)|begin forwarded message|_{20,}$|(?:on|am|le|el|em|il|op|den) .{6,200}(?:wrote|schrieb|a ecrit|escribio|escreveu|ha scritto|schreef|skrev) ?:$|from: .{1,200}@.{1,200}$)/;

export interface Notification {
  /** The mail's own text, without returned and quoted messages. */
  readonly text: string;
  /** The same, folded, with its line breaks. */
  readonly folded: string;
  /** The returned message, as a separate part or below the text. */
  readonly returned: ReturnedMessage | null;
}

/** Splits a mail's own text from the message that it returns; removes a person's quotes. */
export function getNotification(mail: ParsedMail, isByProgram: boolean): Notification {
  const lines = mail.text.slice(0, 2 * MAX_CHARS).split('\n', 2 * MAX_LINES);
  const own: string[] = [];
  let chars = 0;
  let at = 0;
  for (; at < lines.length && own.length < MAX_LINES && chars < MAX_CHARS; at++) {
    const line = lines[at] ?? '';
    const folded = foldDiagnostic(line.slice(0, 300)).trim();
    if (RETURNED_BELOW.test(folded) || TRACE.test(folded)) break;
    if (!isByProgram && QUOTED_BELOW.test(folded)) break;
    if (!isByProgram && folded.startsWith('>')) continue;
    own.push(line.slice(0, 2_000));
    chars += Math.min(line.length, 2_000) + 1;
  }
  const text = own.join('\n');
  return { text, folded: foldDiagnostic(text), returned: mail.returned ?? findReturnedBelow(lines.slice(at)) };
}

/** Reads header lines below the text: the first block with fields of a message. */
function findReturnedBelow(lines: readonly string[]): ReturnedMessage | null {
  const start = lines.findIndex((line) =>
    /^[ \t>]{0,8}(?:received|return-path|from|to|subject|message-id|date|mime-version|x-[\w-]{2,30}|dkim-signature): ?\S/i.test(
      line,
    ),
  );
  if (start === -1) return null;
  const indent = /^[ \t>]{0,8}/.exec(lines[start] ?? '')?.[0].length ?? 0;
  const block = lines
    .slice(start, start + 200)
    .map((line) => (line.slice(0, indent).trim().replaceAll('>', '') === '' ? line.slice(indent) : line));
  const message = toReturnedMessage(readHeaderBlock(block.join('\n')));
  return message.messageId !== null || message.to.length > 0 ? message : null;
}
