import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model } from 'mongoose';
import { type Warmup } from '../../config/warmup-state';
import { WarmupThreadRecord } from '../../schemas/warmup-thread.record';
import { ThreadScriptsService } from './thread-scripts.service';
import { WarmupMailRepository } from './warmup-mail.repository';

/** Lets the language model write a thread before it is begun, where the mailbox wants that. */
@Injectable()
export class WarmupScriptsService {
  constructor(
    @InjectModel(WarmupThreadRecord.name) private readonly threads: Model<WarmupThreadRecord>,
    private readonly scripts: ThreadScriptsService,
    private readonly outbox: WarmupMailRepository,
    private readonly clock: ClockPort,
  ) {}

  /** Of the mail that comes next, not in its turn: a model takes its time. Without a script a thread is the library's. */
  async prepareScript({ mailbox, state }: Warmup, signal: AbortSignal): Promise<void> {
    const { textSource: source } = state.config;
    if (source !== 'model') return;
    const { workspaceId, _id: mailboxId } = mailbox;
    const mail = await this.outbox.next({ workspaceId, mailboxId }, this.clock.now());
    if (mail?.position !== 0) return;
    const unwritten = { _id: mail.threadId, workspaceId, script: null };
    const thread = await this.threads.findOne(unwritten).lean<WarmupThreadRecord>();
    if (!thread) return;
    const { language, seed, day } = thread;
    const script = await this.scripts.writeScript({ workspaceId, language, seed, day, source }, signal);
    await this.threads.updateOne(unwritten, { $set: { script } });
  }
}
