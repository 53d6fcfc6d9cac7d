import { appendFile } from 'node:fs/promises';

/** One line of `given.jsonl`: a message of which at least a part reached this server, whatever its outcome. */
export interface HandoverMail {
  /** ISO time of the client's DATA command, before the server has any part of the message. */
  dataAt: string;
  /** ISO time at which the first byte of the message arrived. */
  time: string;
  /** Envelope, lower case. */
  from: string;
  to: string[];
  /** Empty when the message ended before its Message-ID. */
  messageId: string;
  /** Whether the end of the message arrived. */
  whole: boolean;
}

/**
 * Records when messages were received, before their answer. Lines that arrive during a write are written
 * together. Unlike `AcceptedLog`, it does not survive a power failure.
 */
export class HandoverLog {
  readonly #path: string;
  #waiting = '';
  #last: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves when the line is written. */
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
