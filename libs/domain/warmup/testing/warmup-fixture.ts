import { MailModule } from '@adapters/mail';
import { type WorkspaceScope, systemActor, systemScope } from '@domain/access';
import { MailboxCreationService, type NewMailbox } from '@domain/mailboxes';
import { UsersModule, UsersService, WorkspacesService } from '@domain/identity';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule, QueuesService } from '@platform/queues';
import { type FakeClock, type TestDatabase, openTestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { WarmupMailRecord } from '../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../schemas/warmup-thread.record';
import { WarmupModule } from '../warmup.module';

/** A mailbox and its workspace. */
interface Owner {
  workspaceId: Types.ObjectId;
  mailboxId: Types.ObjectId;
}

/** Warmups with their own database, on mailboxes without a connection. */
export class WarmupFixture {
  readonly clock: FakeClock;
  #serial = 0;

  private constructor(private readonly database: TestDatabase) {
    this.clock = database.clock;
  }

  static async open(): Promise<WarmupFixture> {
    const imports = [QueuesModule, OutboundModule, MailModule, UsersModule, WarmupModule];
    const fixture = new WarmupFixture(await openTestDatabase({ imports }));
    return fixture;
  }

  async close(): Promise<void> {
    await this.get(QueuesService).obliterate();
    await this.database.close();
  }

  get<T>(token: (abstract new (...args: never[]) => T) | string): T {
    return this.database.module.get<T>(token, { strict: false });
  }

  async workspace(): Promise<WorkspaceScope> {
    this.#serial += 1;
    const user = await this.get(UsersService).create({ email: `owner-${this.#serial}@example.com`, name: 'Owner' });
    const by = systemActor('operator');
    return systemScope((await this.get(WorkspacesService).createFor(user.id, { name: 'Acme' }, by)).id);
  }

  async mailbox(workspace: WorkspaceScope, more: Partial<NewMailbox> = {}): Promise<string> {
    this.#serial += 1;
    const _id = new Types.ObjectId();
    const email = `ada-${this.#serial}@mail.test`;
    const mailbox: NewMailbox = { _id, email, provider: 'custom', connectionType: 'smtp', ...more };
    await this.get(MailboxCreationService).insert(workspace, mailbox);
    return _id.toHexString();
  }

  /** Plans a thread of the mailbox with another one, and its first mail. */
  async plan(owner: Owner, day: string) {
    const [threadId, _id] = [new Types.ObjectId(), new Types.ObjectId()];
    const counterpart = { workspaceId: new Types.ObjectId(), mailboxId: new Types.ObjectId() };
    const thread = { _id: threadId, ...owner, counterpart, day, ordinal: 0, language: 'en', seed: 's' } as const;
    const mail = {
      _id,
      mailId: _id,
      threadId,
      ...owner,
      counterpart,
      direction: 'sent',
      position: 0,
      state: 'planned',
      day,
      dueAt: this.clock.now(),
    } as const;
    await this.get<Model<WarmupThreadRecord>>(getModelToken(WarmupThreadRecord.name)).insertMany([thread]);
    await this.get<Model<WarmupMailRecord>>(getModelToken(WarmupMailRecord.name)).insertMany([mail]);
    return { threadId, thread, mail };
  }
}
