import { type ChatMessage } from '@adapters/chat';
import { type WorkspaceScope } from '@domain/access';
import { CampaignRepository } from '@domain/campaigns';
import { EventsService, type EventRecord } from '@domain/events';
import { ConversationRepository } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Config } from '@platform/config';
import { type Page, PageService, parseId } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model } from 'mongoose';
import { type SlackMessageResponse, toSlackMessage } from '../dto/chat-message.dto';
import { type SlackMessagesQuery } from '../dto/chat-requests.dto';
import { ChatMessageRecord } from '../schemas/chat-message.record';
import { type ChatConnectionRecord } from '../schemas/chat-connection.record';
import { getEventUrl, getMessagesUrl } from '../formatting/chat-links';
import {
  type EventTally,
  MAX_LINES,
  createEventMessage,
  createDigestMessage,
  type PostedEvent,
} from '../formatting/chat-message';
import { ChatConnectionRepository } from '../settings/chat-connection.repository';
import { isChatEvent } from './chat-subscription';
import { type NextPost } from './next-post';

/** Messages of the chat: the log of 30 days, and the text of a post, composed from the events as they are now. */
@Injectable()
export class ChatMessagesService {
  constructor(
    @InjectModel(ChatMessageRecord.name) private readonly messages: Model<ChatMessageRecord>,
    private readonly connections: ChatConnectionRepository,
    private readonly pages: PageService,
    private readonly events: EventsService,
    private readonly campaigns: CampaignRepository,
    private readonly threads: ConversationRepository,
    private readonly config: Config,
  ) {}

  /** Newest first. @throws NOT_FOUND when nothing is connected */
  async list(workspace: WorkspaceScope, query: SlackMessagesQuery): Promise<Page<SlackMessageResponse>> {
    const { workspaceId } = workspace;
    const connection = await this.connections.find(workspaceId);
    if (!connection) throw notFound('Integration');
    const { limit, cursor, state } = query;
    const filter = { workspaceId, connectionId: connection._id, ...(state !== undefined && { state }) };
    return this.pages.read(this.messages, { scope: workspaceId, filter, page: { limit, cursor } }, toSlackMessage);
  }

  /**
   * The text of a post; null when its events were erased.
   * @param unconfirmed earlier messages whose arrival is unknown, by event
   */
  async compose(
    { workspaceId, timezone }: Pick<ChatConnectionRecord, 'workspaceId' | 'timezone'>,
    { kind, messages }: NextPost,
    unconfirmed: EventTally,
  ): Promise<ChatMessage | null> {
    const ids = messages.slice(0, MAX_LINES).map(({ eventId }) => eventId);
    const found = await this.events.read({ workspaceId: workspaceId.toHexString() }, ids);
    const byId = new Map(found.map((event) => [event._id.toHexString(), event]));
    const events = ids.flatMap((id) => byId.get(id.toHexString()) ?? []);
    const names = await this.campaigns.names(events.flatMap(({ campaignId }) => campaignId ?? []));
    const posted = events.flatMap((event) => this.#toPostedEvents(event, names));
    const setting = { timezone, unconfirmed, messagesUrl: getMessagesUrl(this.config.publicUrl) };
    if (kind === 'summary') return createDigestMessage(posted, countEach(messages.map(({ event }) => event)), setting);
    const [first] = posted;
    const [event] = events;
    if (!first || !event) return null;
    return createEventMessage({ ...first, data: { ...first.data, ...(await this.#findReplyText(event)) } }, setting);
  }

  #toPostedEvents(event: EventRecord, names: ReadonlyMap<string, string>): PostedEvent[] {
    const { type, at, data, campaignId } = event;
    if (!isChatEvent(type)) return [];
    const campaign = (campaignId && names.get(campaignId.toHexString())) ?? null;
    return [{ event: type, at, data, campaign, url: getEventUrl(event, this.config.publicUrl) }];
  }

  /** The text of a positive reply, which its conversation has and its event lacks. */
  async #findReplyText({ type, workspaceId, data }: EventRecord): Promise<{ text?: string }> {
    const { conversationId } = data;
    if (type !== 'email.positive_reply' || typeof conversationId !== 'string') return {};
    const _id = parseId(conversationId);
    const answer = _id && (await this.threads.lastAnswer({ _id, workspaceId }));
    return answer ? { text: answer.text } : {};
  }
}

/** Counts equal values. */
function countEach<T>(events: readonly T[]): ReadonlyMap<T, number> {
  const tally = new Map<T, number>();
  for (const event of events) tally.set(event, (tally.get(event) ?? 0) + 1);
  return tally;
}
