import { type CrmField, type CrmType, CrmError } from '@adapters/crm';
import { type WorkspaceScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { notFound, validationFailed } from '@platform/errors';
import { type Model } from 'mongoose';
import { CrmConnectionRepository, type OpenCrm } from '../connections/crm-connection.repository';
import { CrmConnectionRecord } from '../connections/schemas/crm-connection.record';
import { parseCrmType } from '../parse-crm-type';
import { withRequestTimeout } from '../connections/verified-account';
import { toStoredRule } from './default-rules';
import {
  type CrmMappingResponse,
  getRule,
  type SetCrmMappingRequest,
  toCrmMapping,
  type CrmFieldsResponse,
  toCrmFields,
} from './dto/crm-mapping.dto';
import { type MappingRule } from './field-rule';
import { findMappingFaults } from './mapping-faults';
import { parseStoredRules, toStoredRuleList } from './stored-rules';

/** How long fields are cached for the editing of a mapping. */
const CACHE_MS = 60_000;

/** Maximum cached accounts: an account may have hundreds of fields. */
const MAX_CACHED_ACCOUNTS = 100;

const TIMEOUT_MS = 20_000;

interface CachedFields {
  readonly revision: number;
  readonly until: Date;
  readonly fields: readonly CrmField[];
}

/** Field mappings between leads and CRMs. */
@Injectable()
export class CrmMappingsService {
  /** By connection, oldest first. */
  readonly #fieldCache = new Map<string, CachedFields>();

  constructor(
    @InjectModel(CrmConnectionRecord.name) private readonly records: Model<CrmConnectionRecord>,
    private readonly connections: CrmConnectionRepository,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** @throws NOT_FOUND for no CRM, and when the workspace is not connected to it */
  async get({ workspaceId }: WorkspaceScope, name: string): Promise<CrmMappingResponse> {
    return toCrmMapping(parseStoredRules((await this.#requireConnection(workspaceId, parseCrmType(name))).mapping));
  }

  /**
   * Replaces the rules. They are validated against the current CRM fields; without a connection, against the general rules only.
   * @throws NOT_FOUND for no CRM and without a connection, VALIDATION_ERROR naming each rule that is wrong, CrmError
   * when the vendor is unavailable
   */
  async set(workspace: WorkspaceScope, name: string, input: SetCrmMappingRequest): Promise<CrmMappingResponse> {
    const type = parseCrmType(name);
    const { workspaceId } = workspace;
    const rules = input.rules.map(getRule);
    const record = await this.#requireConnection(workspaceId, type);
    const ownFaults = findMappingFaults(rules, null);
    if (ownFaults.length > 0) throw validationFailed(ownFaults);
    const fields = await this.#findCurrentFields(workspaceId, type, record);
    const faults = fields ? findMappingFaults(rules, fields) : [];
    if (faults.length > 0) throw validationFailed(faults);
    const known = new Map<string, CrmField | MappingRule>(
      fields?.map((field) => [field.name, field]) ?? parseStoredRules(record.mapping).map((rule) => [rule.crm, rule]),
    );
    const mapping = rules.map((rule) => toStoredRule(rule, known.get(rule.crm) ?? null));
    await this.#write(workspace, record, mapping);
    return toCrmMapping(mapping);
  }

  /** @throws NOT_FOUND for an unknown CRM, CRM_NOT_CONNECTED, CrmError */
  async listFields({ workspaceId }: WorkspaceScope, name: string): Promise<CrmFieldsResponse> {
    return toCrmFields(await this.getFields(workspaceId, await this.connections.open(workspaceId, parseCrmType(name))));
  }

  /** Cached for a minute. @throws CrmError, which is recorded at the connection */
  async getFields(workspaceId: string, crm: OpenCrm): Promise<readonly CrmField[]> {
    const key = crm.connectionId.toHexString();
    const known = this.#fieldCache.get(key);
    if (known && known.revision === crm.revision && known.until > this.clock.now()) return known.fields;
    const fields = await this.#readFields(workspaceId, crm);
    this.#fieldCache.delete(key);
    this.#fieldCache.set(key, { revision: crm.revision, until: this.clock.in(CACHE_MS), fields });
    const [oldest] = this.#fieldCache.keys();
    if (this.#fieldCache.size > MAX_CACHED_ACCOUNTS && oldest !== undefined) this.#fieldCache.delete(oldest);
    return fields;
  }

  async #findCurrentFields(
    workspaceId: string,
    type: CrmType,
    { status, enabled }: CrmConnectionRecord,
  ): Promise<readonly CrmField[] | null> {
    if (status !== 'connected' || !enabled) return null;
    return this.getFields(workspaceId, await this.connections.open(workspaceId, type));
  }

  async #write(workspace: WorkspaceScope, { _id }: CrmConnectionRecord, mapping: MappingRule[]): Promise<void> {
    const { workspaceId } = workspace;
    await this.transactions.run(async () => {
      const before = await this.records
        .findOneAndUpdate(
          { _id, workspaceId },
          { $set: { mapping: toStoredRuleList(mapping) }, $inc: { revision: 1 } },
          { returnDocument: 'before' },
        )
        .lean<CrmConnectionRecord>();
      if (!before) throw notFound('Integration');
      const changes = getChanges(toAuditedMapping(parseStoredRules(before.mapping)), toAuditedMapping(mapping), [
        'mapping',
      ]);
      const target = { type: 'integration', id: _id.toHexString() } as const;
      await this.audit.record(workspace, { action: 'integration.updated', target, changes });
    });
  }

  async #requireConnection(workspaceId: string, type: CrmType): Promise<CrmConnectionRecord> {
    const found = await this.records.findOne({ workspaceId, type }).lean<CrmConnectionRecord>();
    if (!found) throw notFound('Integration');
    return found;
  }

  async #readFields(workspaceId: string, { session, type, revision }: OpenCrm): Promise<readonly CrmField[]> {
    try {
      return await withRequestTimeout(TIMEOUT_MS, (signal) => session.fields(signal));
    } catch (error) {
      if (error instanceof CrmError) await this.connections.markFailed(workspaceId, type, error, revision);
      throw error;
    }
  }
}

/** The audited rules, with values as JSON: field names of a record cannot contain dots and dollars. */
function toAuditedMapping(rules: readonly MappingRule[]) {
  const mapping = rules.map(({ lead, crm, direction, overwrite, values }) => {
    return { lead, crm, direction, overwrite, values: values && JSON.stringify(values) };
  });
  return { mapping };
}
