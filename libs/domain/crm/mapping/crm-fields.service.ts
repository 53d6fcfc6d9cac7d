import { CrmError, type CrmField } from '@adapters/crm';
import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { CrmConnectionRepository, type OpenCrm } from '../connections/crm-connection.repository';
import { withTimeout } from '../connections/verified-account';
import { crmNamed } from '../parse-crm-type';
import { type CrmFieldsResponse, toCrmFields } from './dto/crm-mapping.dto';

/** For so long an answer is good enough for somebody who edits a mapping. */
const FRESH_MS = 60_000;
/** Accounts whose fields are kept at a time: an account may have hundreds. */
const MOST_KEPT = 100;
const PATIENCE_MS = 20_000;

interface Known {
  readonly revision: number;
  readonly until: Date;
  readonly fields: readonly CrmField[];
}

/** What people have at a CRM. */
@Injectable()
export class CrmFieldsService {
  /** By connection, the oldest first. */
  readonly #known = new Map<string, Known>();

  constructor(
    private readonly connections: CrmConnectionRepository,
    private readonly clock: ClockPort,
  ) {}

  /** @throws NOT_FOUND for no CRM, CRM_NOT_CONNECTED, CrmError when the vendor refuses or cannot be asked */
  async list({ workspaceId }: WorkspaceScope, name: string): Promise<CrmFieldsResponse> {
    return toCrmFields(await this.of(workspaceId, await this.connections.open(workspaceId, crmNamed(name))));
  }

  /** Asks at most once a minute. @throws CrmError, which is noted with the connection */
  async of(workspaceId: string, crm: OpenCrm): Promise<readonly CrmField[]> {
    const key = crm.connectionId.toHexString();
    const known = this.#known.get(key);
    if (known && known.revision === crm.revision && known.until > this.clock.now()) return known.fields;
    const fields = await this.#ask(workspaceId, crm);
    this.#known.delete(key);
    this.#known.set(key, { revision: crm.revision, until: this.clock.in(FRESH_MS), fields });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KEPT && oldest !== undefined) this.#known.delete(oldest);
    return fields;
  }

  async #ask(workspaceId: string, { session, type, revision }: OpenCrm): Promise<readonly CrmField[]> {
    try {
      return await withTimeout(PATIENCE_MS, (signal) => session.fields(signal));
    } catch (error) {
      if (error instanceof CrmError) await this.connections.failed(workspaceId, type, error, revision);
      throw error;
    }
  }
}
