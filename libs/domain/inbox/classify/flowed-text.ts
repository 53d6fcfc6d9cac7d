/** What hides in the header of a part that its lines may be joined. */
export interface Flow {
  /** The mail, whose text parts say that their lines are fixed. */
  readonly mail: Buffer;
  readonly isFlowed: boolean;
  /** The blank at the end of a line was added with the break. */
  readonly deletesBlanks: boolean;
}

const PARAMETER = /([;\s]format\s{0,9}=\s{0,9}"?)flowed/i;

/**
 * A mail whose parts no longer say `format=flowed`: the library joins lines of different quote depth, and the answer becomes a
 * part of the quote. `withJoinedFlow` joins them by RFC 3676 instead. Messages inside the mail stay as they are.
 */
export function withoutFlow(mail: Buffer): Flow {
  const text = mail.toString('latin1');
  if (!/format\s{0,9}=\s{0,9}"?flowed/i.test(text)) return { mail, isFlowed: false, deletesBlanks: false };
  let [isHeader, isType, isFlowed, deletesBlanks] = [true, false, false, false];
  const lines = text.split('\n').map((line) => {
    // What stands below two dashes may be the header of a part.
    if (line.startsWith('--')) {
      [isHeader, isType] = [true, false];
      return line;
    }
    if (line.trim() === '') isHeader = false;
    if (!isHeader) return line;
    if (!/^[ \t]/.test(line)) isType = /^content-type\s{0,9}:/i.test(line);
    if (!isType) return line;
    deletesBlanks ||= /[;\s]delsp\s{0,9}=\s{0,9}"?yes/i.test(line);
    isFlowed ||= PARAMETER.test(line);
    return line.replace(PARAMETER, '$1fixed');
  });
  return { mail: isFlowed ? Buffer.from(lines.join('\n'), 'latin1') : mail, isFlowed, deletesBlanks };
}

const SIGNATURE = '-- ';

interface FlowedLine {
  /** The signs `>` before it, with the blank that follows them. */
  readonly marks: string;
  readonly depth: number;
  readonly words: string;
}

/** Joins the lines of flowed text by RFC 3676, 4.1 to 4.5: only where both have the same quote depth. */
export function withJoinedFlow(text: string, { deletesBlanks }: Pick<Flow, 'deletesBlanks'>): string {
  const joined: string[] = [];
  /** Of a paragraph that goes on. */
  let open: { readonly depth: number; readonly pieces: string[] } | null = null;
  for (const { marks, depth, words } of text.split(/\r\n?|\n/).map(flowedLine)) {
    const goesOn: boolean = open !== null && open.depth === depth && words !== SIGNATURE;
    const isSoft = words.endsWith(' ') && words !== SIGNATURE;
    if (open !== null && !goesOn) joined.push(open.pieces.join('').trimEnd());
    const pieces: string[] = goesOn && open !== null ? open.pieces : [marks];
    pieces.push(isSoft && deletesBlanks ? words.slice(0, -1) : words);
    open = isSoft ? { depth, pieces } : null;
    if (!isSoft) joined.push(pieces.join(''));
  }
  if (open !== null) joined.push(open.pieces.join(''));
  return joined.join('\n');
}

function flowedLine(line: string): FlowedLine {
  const signs = /^(?:> ?)*>/.exec(line)?.[0] ?? '';
  const rest = line.slice(signs.length);
  // The blank that was stuffed before the words.
  const words = rest.startsWith(' ') ? rest.slice(1) : rest;
  return { marks: signs === '' || words === '' ? signs : `${signs} `, depth: signs.replaceAll(' ', '').length, words };
}
