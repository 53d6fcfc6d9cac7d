/** A mail whose text parts are marked as fixed, and the facts needed to join its flowed lines later. */
export interface FlowedMail {
  readonly mail: Buffer;
  readonly isFlowed: boolean;
  /** `DelSp=yes`: the blank at the end of a soft-broken line is not part of the text. */
  readonly deletesBlanks: boolean;
}

const PARAMETER = /([;\s]format\s{0,9}=\s{0,9}"?)flowed/i;

/**
 * Replaces `format=flowed` by `format=fixed`. The MIME library joins flowed lines of different quote depth, so that the reply
 * becomes part of the quote; `joinFlowedText` joins them by RFC 3676 instead. Messages inside the mail stay unchanged.
 */
export function markAsFixed(mail: Buffer): FlowedMail {
  const text = mail.toString('latin1');
  if (!/format\s{0,9}=\s{0,9}"?flowed/i.test(text)) return { mail, isFlowed: false, deletesBlanks: false };
  let [isHeader, isContentType, isFlowed, deletesBlanks] = [true, false, false, false];
  const lines = text.split('\n').map((line) => {
    // The header of a part may follow a line with two leading dashes.
    if (line.startsWith('--')) {
      [isHeader, isContentType] = [true, false];
      return line;
    }
    if (line.trim() === '') isHeader = false;
    if (!isHeader) return line;
    if (!/^[ \t]/.test(line)) isContentType = /^content-type\s{0,9}:/i.test(line);
    if (!isContentType) return line;
    deletesBlanks ||= /[;\s]delsp\s{0,9}=\s{0,9}"?yes/i.test(line);
    isFlowed ||= PARAMETER.test(line);
    return line.replace(PARAMETER, '$1fixed');
  });
  return { mail: isFlowed ? Buffer.from(lines.join('\n'), 'latin1') : mail, isFlowed, deletesBlanks };
}

const SIGNATURE = '-- ';

interface FlowedLine {
  /** The leading `>` signs with the blank after them. */
  readonly quoteMarks: string;
  readonly depth: number;
  readonly content: string;
}

/** Joins the lines of flowed text by RFC 3676, 4.1 to 4.5: only lines of the same quote depth. */
export function joinFlowedText(text: string, { deletesBlanks }: Pick<FlowedMail, 'deletesBlanks'>): string {
  const joined: string[] = [];
  /** The paragraph whose last line ends in a soft break. */
  let open: { readonly depth: number; readonly pieces: string[] } | null = null;
  for (const { quoteMarks, depth, content } of text.split(/\r\n?|\n/).map(parseFlowedLine)) {
    const continues: boolean = open !== null && open.depth === depth && content !== SIGNATURE;
    const isSoft = content.endsWith(' ') && content !== SIGNATURE;
    if (open !== null && !continues) joined.push(open.pieces.join('').trimEnd());
    const pieces: string[] = continues && open !== null ? open.pieces : [quoteMarks];
    pieces.push(isSoft && deletesBlanks ? content.slice(0, -1) : content);
    open = isSoft ? { depth, pieces } : null;
    if (!isSoft) joined.push(pieces.join(''));
  }
  if (open !== null) joined.push(open.pieces.join(''));
  return joined.join('\n');
}

function parseFlowedLine(line: string): FlowedLine {
  const signs = /^(?:> ?)*>/.exec(line)?.[0] ?? '';
  const unquoted = line.slice(signs.length);
  // Removes the stuffed blank (RFC 3676, 4.4).
  const content = unquoted.startsWith(' ') ? unquoted.slice(1) : unquoted;
  return {
    quoteMarks: signs === '' || content === '' ? signs : `${signs} `,
    depth: signs.replaceAll(' ', '').length,
    content,
  };
}
