import { Injectable } from '@nestjs/common';
import { LogService } from '@platform/observability';

/** New mail was stored for this mailbox. */
export interface Arrival {
  readonly workspaceId: string;
  readonly mailboxId: string;
}

/** Called after new mail is stored. A listener speeds up processing and never delays reading. */
export type ArrivalListener = (arrival: Arrival) => Promise<void>;

/** Registry of the higher domains that process new mail; this library does not know them. */
@Injectable()
export class MailArrivalRegistry {
  readonly #listeners = new Set<ArrivalListener>();

  constructor(private readonly log: LogService) {}

  /** Call it once, when the module starts. */
  register(listener: ArrivalListener): void {
    this.#listeners.add(listener);
  }

  /** Never throws: the mail is stored, and a sweep finds what no listener processed. */
  async notify(arrival: Arrival): Promise<void> {
    for (const listener of this.#listeners) {
      try {
        await listener(arrival);
      } catch (error) {
        this.log.error('New mail is not processed yet; the sweep will find it', error, { ...arrival });
      }
    }
  }
}
