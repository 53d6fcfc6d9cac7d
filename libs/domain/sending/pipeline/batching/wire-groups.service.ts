import { SendBatchRepository, type SendRecord, type HandoverFields } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { WorkspaceBatcher } from './workspace-batcher';

interface Wanted {
  readonly send: SendRecord;
  readonly fields: HandoverFields;
}

/** Wire markers of several mailboxes in one write. Each stands for itself: nobody waits for a transaction. */
@Injectable()
export class WireGroupsService {
  readonly #groups = new WorkspaceBatcher<Wanted, boolean>(
    (_workspaceId, wanted) => this.sends.markSendingAll(wanted),
    0,
  );

  constructor(private readonly sends: SendBatchRepository) {}

  /** Right before the server is given the message. False when it was withheld or the turn was lost: nothing may be given. */
  async markSending(send: SendRecord, fields: HandoverFields): Promise<boolean> {
    return this.#groups.run(send.workspaceId, { send, fields });
  }
}
