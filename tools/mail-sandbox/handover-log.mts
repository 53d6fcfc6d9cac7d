import { appendFile } from 'node:fs/promises';

/** One line of `omitUndefined.jsonl`: a message of which at least a part reached this server, whatever its outcome. */
export interface HandoverMail {
  /** ISO time of the client's DATA command, before the server has any part of the message. */
  dataAt: string;
  /** ISO time at which the first byte of the message arrived. */
  time: string;
  /** Envelope, lower case. */
  from: string;
  to: string[];
  /** Empty when the message broke off before its Message-ID. */
  messageId: string;
  /** Whether the end of the message arrived. */
  whole: boolean;
}

/**
 * Says when messages were given, and has a message before it is answered. Lines that came while others were written go to the
 * file together. Not made for a power cut, unlike `AcceptedLog`.
 */
export class HandoverLog {
  readonly #path: string;
  #waiting = '';
  #last: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves when the line is in the file. */
  append(mail: HandoverMail): Promise<void> {
    this.#waiting += `${JSON.stringify(mail)}\n`;
    this.#last = this.#last.then(() => this.#write());
    return this.#last;
  }

  async #write(): Promise<void> {
    const lines = this.#waiting;
    this.#waiting = '';
    if (lines !== '') await appendFile(this.#path, lines);
  }
}
