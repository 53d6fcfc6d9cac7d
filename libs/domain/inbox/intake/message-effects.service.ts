import { Injectable } from '@nestjs/common';
import { AutoReplyEffectService } from './auto-reply-effect.service';
import { BounceEffectService } from '../effects/bounce-effect.service';
import { ComplaintEffectService } from './complaint-effect.service';
import { FormerEffectService } from '../effects/former-effect.service';
import { LabelEffectService } from '../effects/label-effect.service';
import { ReplyEffectService } from './reply-effect.service';
import { type AddedMessage } from '../conversations/conversation.repository';
import { ConversationEntryService } from './conversation-entry.service';
import { type Incoming } from './incoming';
import { type IntakeTask } from './intake-tasks';

/** Writes what a message says: the conversation, the lead, figures and events together. Joins the running transaction. */
@Injectable()
export class MessageEffectsService {
  constructor(
    private readonly entries: ConversationEntryService,
    private readonly replies: ReplyEffectService,
    private readonly autoReplies: AutoReplyEffectService,
    private readonly bounces: BounceEffectService,
    private readonly complaints: ComplaintEffectService,
    private readonly labels: LabelEffectService,
    private readonly formers: FormerEffectService,
  ) {}

  /** @returns what has to follow outside of the transaction */
  async apply(incoming: Incoming): Promise<IntakeTask[]> {
    const added = await this.entries.add(incoming);
    const tasks = await this.#follow(incoming, added);
    if (added) await this.entries.notified(added, incoming);
    return tasks;
  }

  async #follow(incoming: Incoming, added: AddedMessage | null): Promise<IntakeTask[]> {
    const { judged, match, recipients } = incoming;
    switch (judged.kind) {
      case 'reply': {
        const labelled = this.labels.applyLabel(incoming);
        const conversationId = added?.conversation._id ?? null;
        return [
          ...(match ? await this.replies.apply(incoming, match, { labelled, conversationId }) : []),
          ...(added ? await this.labels.ofReply(incoming, match, added, labelled) : []),
        ];
      }
      case 'auto_reply':
        if (added && judged.isOutOfOffice) await this.labels.ofAbsence(added.conversation, judged.rule);
        return match ? this.autoReplies.apply(incoming, match, judged) : [];
      case 'bounce': {
        const tasks: IntakeTask[] = [];
        for (const failed of judged.failed) {
          const about = match ?? (failed.address === null ? undefined : recipients.get(failed.address));
          if (about) tasks.push(...(await this.bounces.apply(incoming, about, failed)));
          else tasks.push(...(await this.formers.bounced(incoming, failed)));
        }
        return tasks;
      }
      case 'complaint': {
        const tasks: IntakeTask[] = [];
        for (const about of match ? [match] : recipients.values()) {
          tasks.push(...(await this.complaints.apply(incoming, about)));
        }
        return [...tasks, ...(await this.formers.complained(incoming))];
      }
      case 'delayed':
        return [];
    }
  }
}
