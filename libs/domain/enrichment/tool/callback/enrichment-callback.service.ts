import { systemScope } from '@domain/access';
import { WorkspaceEntryRepository } from '@domain/identity';
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
import { decideOutcome, toUnassignedValue } from './result-outcome';

/** A token that is none is taken to name an item that there never is, which is looked for like any other. */
const NOBODYS: CallbackItem = { workspaceId: '0'.repeat(24), jobId: '0'.repeat(24), itemId: '0'.repeat(24) };

/** Transactions for results at the same time in one process: a tool may answer for hundreds of rows at once. */
const AT_ONCE = 4;

const DELETED_LEAD: FinalOutcome = { kind: 'failed', reason: 'lead_gone' };

const RECEIVED: EnrichmentCallbackResponse = { received: true };

/** Somebody else ended the item in the meantime: what was done for it here is undone. */
class OverAlready extends Error {}

/** Results of rows that were handed over. */
@Injectable()
export class EnrichmentCallbackService {
  readonly #atOnce = pLimit(AT_ONCE);

  constructor(
    @InjectModel(EnrichmentItemRecord.name) private readonly records: Model<EnrichmentItemRecord>,
    private readonly tokens: CallbackTokenService,
    private readonly tools: EnrichmentToolsService,
    private readonly items: EnrichmentItemsService,
    private readonly leads: LeadEnrichmentService,
    private readonly workspaces: WorkspaceEntryRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Takes the result of a row: its item ends with it, once, and what it says lands in the lead. Repeated, it changes nothing.
   * @param body JSON, an object; its fields are known to the mapping only
   * @param signature of the body; looked at where the workspace has a secret for it
   * @throws NOT_FOUND for a token that is not in force, whatever is wrong, for an item or a tool that is gone, and for a wrong
   *   signature; VALIDATION_ERROR for a body that is no JSON object
   */
  async receive(token: string, body: Buffer, signature: string | undefined): Promise<EnrichmentCallbackResponse> {
    const named = this.tokens.read(token, this.clock.now()) ?? NOBODYS;
    const [tool, item] = await Promise.all([this.tools.find(named.workspaceId), this.#findItem(named)]);
    if (!tool || !item || !isSigned(body, signature, this.tools.openSigningSecret(tool))) throw notFound('Callback');
    const found = parseCallbackValues(tool.mapping, objectOf(body));
    if (item.open) await this.#atOnce(() => this.#settle(named, tool, found));
    return RECEIVED;
  }

  /** Null when it is gone: by itself, with its job, or because its workspace was deleted. */
  async #findItem(named: CallbackItem): Promise<EnrichmentItemRecord | null> {
    const [item, alive] = await Promise.all([this.#peekItem(named), this.workspaces.alive([named.workspaceId])]);
    return alive.has(named.workspaceId) ? item : null;
  }

  /** As it is now, in the running transaction. */
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

  /** Lead and item change together: a result that landed has ended its item, and one that came too late has not landed. */
  async #settleOnce(
    named: CallbackItem,
    tool: EnrichmentToolRecord,
    found: CallbackValues,
  ): Promise<FilledLead | null> {
    const { workspaceId, jobId, itemId } = named;
    const item = await this.#peekItem(named);
    if (item?.open !== true) throw new OverAlready();
    const lead = leadOf(item);
    const filled = lead && (await this.leads.fill(systemScope(workspaceId), lead, found.values, tool));
    const outcome = item.leadId !== null && !filled ? DELETED_LEAD : this.#outcome(found, filled);
    if (!(await this.items.settle(workspaceId, jobId, itemId, outcome))) throw new OverAlready();
    return filled;
  }

  #outcome({ values, unknown: strange }: CallbackValues, filled: FilledLead | null): FinalOutcome {
    return decideOutcome(filled?.values ?? values.map(toUnassignedValue), strange, this.clock.now());
  }
}

/** The lead that an item is about; null for an item without one, and once the person was erased. */
function leadOf({ leadId, email, erased }: EnrichmentItemRecord): Pick<LeadPerson, '_id' | 'email'> | null {
  const parsed = parseEmailAddress(email);
  return leadId !== null && erased !== true && parsed.ok ? { _id: leadId, email: parsed.address } : null;
}

/** @throws VALIDATION_ERROR */
function objectOf(body: Buffer): Readonly<Record<string, unknown>> {
  const parsed = parsedJson(body.toString('utf8'));
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>;
  throw invalidField('body', 'The request body must be a JSON object');
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
