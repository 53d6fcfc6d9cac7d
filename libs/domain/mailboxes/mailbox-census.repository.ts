import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { CONNECTION_STATES, type ConnectionState, MailboxRecord } from './schemas/mailbox.record';

/** How the mailboxes of the whole installation stand, for its operator. */
@Injectable()
export class MailboxCensusRepository {
  constructor(@InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>) {}

  /** How many there are in each state of their connection. */
  async countByConnection(): Promise<ReadonlyMap<ConnectionState, number>> {
    const counted = CONNECTION_STATES.map(async (state) => {
      const count = await this.mailboxes
        .countDocuments({ 'connection.state': state })
        .setOptions({ allWorkspaces: 'how the installation stands' });
      return [state, count] as const;
    });
    return new Map(await Promise.all(counted));
  }
}
