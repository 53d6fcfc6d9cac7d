import { systemScope } from '@domain/access';
import { WorkspaceRepository } from '@domain/identity';
import { type FilledLead, LeadEnrichmentService, type LeadPerson } from '@domain/leads';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { invalidField, notFound } from '@platform/errors';
import { parseEmailAddress } from '@platform/validation';
import { type Model } from 'mongoose';
import pLimit from 'p-limit';
import { type FinalOutcome } from '../../item-handlers/item-handler';
import { EnrichmentItemsService } from '../../runs/enrichment-items.service';
import { EnrichmentItemRecord } from '../../schemas/enrichment-item.record';
import { type EnrichmentCallbackResponse } from '../dto/callback-response.dto';
import { type EnrichmentToolRecord } from '../schemas/enrichment-tool.record';
import { EnrichmentToolsService } from '../settings/enrichment-tools.service';
import { isSigned } from './callback-signature';
import { type CallbackItem, CallbackTokenService } from './callback-token.service';
import { type CallbackValues, parseCallbackValues } from './callback-values';
import { decideResultOutcome, toUnassignedValue } from './result-outcome';

/** Stands for an invalid token: an item that never exists, so that both cases take the same queries. */
const NOBODYS: CallbackItem = { workspaceId: '0'.repeat(24), jobId: '0'.repeat(24), itemId: '0'.repeat(24) };

/** Concurrent transactions of one process: a tool may report hundreds of rows at once. */
const AT_ONCE = 4;

const DELETED_LEAD: FinalOutcome = { kind: 'failed', reason: 'lead_gone' };

const RECEIVED: EnrichmentCallbackResponse = { received: true };

/** The item has ended in the meantime; the transaction is rolled back. */
class OverAlready extends Error {}

/** Receives the results of submitted rows. */
@Injectable()
export class EnrichmentCallbackService {
  readonly #atOnce = pLimit(AT_ONCE);

  constructor(
    @InjectModel(EnrichmentItemRecord.name) private readonly records: Model<EnrichmentItemRecord>,
    private readonly tokens: CallbackTokenService,
    private readonly tools: EnrichmentToolsService,
    private readonly items: EnrichmentItemsService,
    private readonly leads: LeadEnrichmentService,
    private readonly workspaces: WorkspaceRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Receives the result of a row: settles its item once, and writes the values into the lead. Repeatable.
   * @param body JSON, an object; only the mapping knows its fields
   * @param signature of the body; checked if the workspace has a signing secret
   * @throws NOT_FOUND for an invalid or expired token, a missing item or tool, and a wrong signature; VALIDATION_ERROR
   *   for a body that is not a JSON object
   */
  async receive(token: string, body: Buffer, signature: string | undefined): Promise<EnrichmentCallbackResponse> {
    const named = this.tokens.read(token, this.clock.now()) ?? NOBODYS;
    const [tool, item] = await Promise.all([this.tools.find(named.workspaceId), this.#findItem(named)]);
    if (!tool || !item || !isSigned(body, signature, this.tools.openSigningSecret(tool))) throw notFound('Callback');
    const found = parseCallbackValues(tool.mapping, parseObject(body));
    if (item.open) await this.#atOnce(() => this.#settle(named, tool, found));
    return RECEIVED;
  }

  /** Null when the item, its job or its workspace was deleted. */
  async #findItem(named: CallbackItem): Promise<EnrichmentItemRecord | null> {
    const [item, alive] = await Promise.all([this.#peekItem(named), this.workspaces.filterAlive([named.workspaceId])]);
    return alive.has(named.workspaceId) ? item : null;
  }

  /** The present item, in the running transaction. */
  async #peekItem({ workspaceId, jobId, itemId }: CallbackItem): Promise<EnrichmentItemRecord | null> {
    return this.records.findOne({ workspaceId, jobId, _id: itemId }).lean<EnrichmentItemRecord>();
  }

  async #settle(named: CallbackItem, tool: EnrichmentToolRecord, found: CallbackValues): Promise<void> {
    const workspace = systemScope(named.workspaceId);
    try {
      const filled = await this.transactions.run(() => this.#settleOnce(named, tool, found));
      if (filled) await this.leads.scheduleSending(workspace, filled);
    } catch (error) {
      if (!(error instanceof OverAlready)) throw error;
    }
  }

  /** Changes lead and item together, so that a result is written if and only if it ends its item. */
  async #settleOnce(
    named: CallbackItem,
    tool: EnrichmentToolRecord,
    found: CallbackValues,
  ): Promise<FilledLead | null> {
    const { workspaceId, jobId, itemId } = named;
    const item = await this.#peekItem(named);
    if (item?.open !== true) throw new OverAlready();
    const lead = findLead(item);
    const filled = lead && (await this.leads.fill(systemScope(workspaceId), lead, found.values, tool));
    const outcome = item.leadId !== null && !filled ? DELETED_LEAD : this.#outcome(found, filled);
    if (!(await this.items.settle(workspaceId, jobId, itemId, outcome))) throw new OverAlready();
    return filled;
  }

  #outcome({ values, unknown: strange }: CallbackValues, filled: FilledLead | null): FinalOutcome {
    return decideResultOutcome(filled?.values ?? values.map(toUnassignedValue), strange, this.clock.now());
  }
}

/** The lead of an item; null for an item without one, and after the erasure of the person. */
function findLead({ leadId, email, erased }: EnrichmentItemRecord): Pick<LeadPerson, '_id' | 'email'> | null {
  const parsed = parseEmailAddress(email);
  return leadId !== null && erased !== true && parsed.ok ? { _id: leadId, email: parsed.address } : null;
}

/** @throws VALIDATION_ERROR */
function parseObject(body: Buffer): Readonly<Record<string, unknown>> {
  const parsed = parseJson(body.toString('utf8'));
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>;
  throw invalidField('body', 'The request body must be a JSON object');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
