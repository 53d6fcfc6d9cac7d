import { Injectable } from '@nestjs/common';
import { LogService } from '@platform/observability';

/** New mail was kept in this mailbox. */
export interface Arrival {
  readonly workspaceId: string;
  readonly mailboxId: string;
}

/** Called after new mail is on record: whoever listens makes haste with it, and never holds up the reading. */
export type ArrivalListener = (arrival: Arrival) => Promise<void>;

/** Where higher domains tell at the start of the process that they want to know of new mail: they are not known down here. */
@Injectable()
export class MailArrivalRegistry {
  readonly #listeners = new Set<ArrivalListener>();

  constructor(private readonly log: LogService) {}

  /** Call it once, when the module starts. */
  register(listener: ArrivalListener): void {
    this.#listeners.add(listener);
  }

  /** Never throws: the mail is on record, and a sweep finds what nobody was told of. */
  async notify(arrival: Arrival): Promise<void> {
    for (const listener of this.#listeners) {
      try {
        await listener(arrival);
      } catch (error) {
        this.log.error('New mail is not worked on yet; the sweep will find it', error, { ...arrival });
      }
    }
  }
}
