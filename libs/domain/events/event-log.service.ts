import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService, parseId } from '@platform/database';
import { invalidField, notFound } from '@platform/errors';
import { type Model } from 'mongoose';
import { type EventQuery, type EventResponse, toEvent } from './dto/event.dto';
import { EventRecord } from './schemas/event.record';

/** No record has it. */
const NOBODY = '000000000000000000000000';

/** What happened in a workspace, as its users read it. */
@Injectable()
export class EventLogService {
  constructor(
    @InjectModel(EventRecord.name) private readonly events: Model<EventRecord>,
    private readonly pages: PageService,
  ) {}

  /** The latest first. @throws VALIDATION_ERROR when `to` is not later than `from` */
  async list(workspace: WorkspaceScope, query: EventQuery): Promise<Page<EventResponse>> {
    const { workspaceId } = workspace;
    const { limit, cursor } = query;
    const filter = { workspaceId, ...conditionsOf(query) };
    return this.pages.read(
      this.events,
      { scope: workspaceId, filter, by: 'at', without: ['workspaceId', 'dedupeKey'], page: { limit, cursor } },
      toEvent,
    );
  }

  /** @throws NOT_FOUND */
  async get({ workspaceId }: WorkspaceScope, eventId: string): Promise<EventResponse> {
    const _id = parseId(eventId);
    const found = _id && (await this.events.findOne({ _id, workspaceId }).lean<EventRecord>());
    if (!found) throw notFound('Event');
    return toEvent(found);
  }
}

function conditionsOf({ type, campaignId, leadId, from, to }: EventQuery): Record<string, unknown> {
  const since = from === undefined ? undefined : new Date(from);
  const until = to === undefined ? undefined : new Date(to);
  if (since && until && since >= until) throw invalidField('to', 'to must be later than from');
  return {
    ...(type === undefined ? {} : { type }),
    ...(campaignId === undefined ? {} : { campaignId: parseId(campaignId) ?? NOBODY }),
    ...(leadId === undefined ? {} : { leadId: parseId(leadId) ?? NOBODY }),
    ...(since || until ? { at: { ...(since && { $gte: since }), ...(until && { $lt: until }) } } : {}),
  };
}
