import { type HeaderForm, type SyntaxFault } from './syntax-faults';

/**
 * Reads a text once from left to right. Each step consumes a run of one class of characters and never goes back, so
 * that the time is linear in the length.
 */
export class Scanner {
  at = 0;
  /** The first fault of the text. */
  fault: SyntaxFault | null = null;
  readonly forms = new Set<HeaderForm>();

  constructor(readonly text: string) {}

  /** The next code unit; '' at the end. */
  get next(): string {
    return this.text.charAt(this.at);
  }

  /** @param run a sticky expression of one class of characters */
  take(run: RegExp): string {
    run.lastIndex = this.at;
    const taken = run.exec(this.text)?.[0] ?? '';
    this.at += taken.length;
    return taken;
  }

  skip(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  note(form: HeaderForm): void {
    this.forms.add(form);
  }

  /** @returns null, for the caller to return */
  fail(fault: SyntaxFault): null {
    this.fault ??= fault;
    return null;
  }

  /** Reports a misplaced character; hidden characters and controls have faults of their own. */
  failAtCharacter(fault: SyntaxFault): null {
    if (this.next === '\r' || this.next === '\n') return this.fail('line_break');
    if (this.take(CONTROL) !== '') return this.fail('control_character');
    return this.fail(this.take(HIDDEN) === '' ? fault : 'hidden_character');
  }
}

const CONTROL = /\p{Cc}/uy;
const HIDDEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/uy;
