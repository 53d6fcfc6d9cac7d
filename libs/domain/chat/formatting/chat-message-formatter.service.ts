import { type ChatMessage } from '@adapters/chat';
import { CampaignRepository } from '@domain/campaigns';
import { EventHistoryService, type EventRecord } from '@domain/events';
import { ConversationRepository } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { Config } from '@platform/config';
import { parseId } from '@platform/database';
import { isChatEvent } from '../delivery/chat-subscription';
import { type NextPost } from '../delivery/next-post';
import { type ChatConnectionRecord } from '../schemas/chat-connection.record';
import { eventUrl, messagesUrl } from './chat-links';
import { type EventTally, MOST_LINES, singleEventMessage, digestMessage, type PostedEvent } from './chat-message';

/** Puts events into words: of what is known of them when they are posted, so that who was erased since is not told of. */
@Injectable()
export class ChatMessageFormatterService {
  constructor(
    private readonly events: EventHistoryService,
    private readonly campaigns: CampaignRepository,
    private readonly threads: ConversationRepository,
    private readonly config: Config,
  ) {}

  /**
   * The message of a post; null when nothing is known any more of what it was to tell.
   * @param lost what went out earlier, of which nobody knows whether it arrived
   */
  async of(
    { workspaceId, timezone }: Pick<ChatConnectionRecord, 'workspaceId' | 'timezone'>,
    { kind, messages }: NextPost,
    lost: EventTally,
  ): Promise<ChatMessage | null> {
    const ids = messages.slice(0, MOST_LINES).map(({ eventId }) => eventId);
    const found = await this.events.read({ workspaceId: workspaceId.toHexString() }, ids);
    const byId = new Map(found.map((event) => [event._id.toHexString(), event]));
    const events = ids.flatMap((id) => byId.get(id.toHexString()) ?? []);
    const names = await this.campaigns.names(events.flatMap(({ campaignId }) => campaignId ?? []));
    const told = events.flatMap((event) => this.#told(event, names));
    const setting = { timezone, lost, messagesUrl: messagesUrl(this.config.publicUrl) };
    if (kind === 'summary') return digestMessage(told, tallyOf(messages.map(({ event }) => event)), setting);
    const [first] = told;
    const [event] = events;
    if (!first || !event) return null;
    return singleEventMessage({ ...first, data: { ...first.data, ...(await this.#words(event)) } }, setting);
  }

  #told(event: EventRecord, names: ReadonlyMap<string, string>): PostedEvent[] {
    const { type, at, data, campaignId } = event;
    if (!isChatEvent(type)) return [];
    const campaign = (campaignId && names.get(campaignId.toHexString())) ?? null;
    return [{ event: type, at, data, campaign, url: eventUrl(event, this.config.publicUrl) }];
  }

  /** What the person wrote: the event of a positive reply does not say it, its conversation does. */
  async #words({ type, workspaceId, data }: EventRecord): Promise<{ text?: string }> {
    const { conversationId } = data;
    if (type !== 'email.positive_reply' || typeof conversationId !== 'string') return {};
    const _id = parseId(conversationId);
    const answer = _id && (await this.threads.lastAnswer({ _id, workspaceId }));
    return answer ? { text: answer.text } : {};
  }
}

/** How many of each. */
function tallyOf<T>(events: readonly T[]): ReadonlyMap<T, number> {
  const tally = new Map<T, number>();
  for (const event of events) tally.set(event, (tally.get(event) ?? 0) + 1);
  return tally;
}
