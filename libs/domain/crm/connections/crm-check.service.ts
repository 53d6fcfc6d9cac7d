import { CrmError } from '@adapters/crm';
import { type WorkspaceScope } from '@domain/access';
import { checkIdle, IDLE_MS } from '@domain/oauth';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { notFound } from '@platform/errors';
import { LogService } from '@platform/observability';
import { type Model } from 'mongoose';
import { parseCrmType } from '../parse-crm-type';
import { CrmConnectionRepository } from './crm-connection.repository';
import { type CrmTestResponse, toCrmConnection } from './dto/crm-connection.dto';
import { withRequestTimeout } from './verified-account';
import { CrmConnectionRecord } from './schemas/crm-connection.record';

const TIMEOUT_MS = 20_000;

/** Verifies the credentials of CRM connections. */
@Injectable()
export class CrmCheckService {
  constructor(
    @InjectModel(CrmConnectionRecord.name) private readonly connections: Model<CrmConnectionRecord>,
    private readonly repository: CrmConnectionRepository,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /**
   * Tests a connection now. A disconnected one that is accepted is connected again.
   * @throws NOT_FOUND for no CRM, and when the workspace is not connected to it
   */
  async test({ workspaceId }: WorkspaceScope, name: string): Promise<CrmTestResponse> {
    const type = parseCrmType(name);
    const record = await this.connections.findOne({ workspaceId, type }).lean<CrmConnectionRecord>();
    if (!record) throw notFound('Integration');
    const error = await this.#check(record);
    const after = await this.connections.findOne({ workspaceId, type }).lean<CrmConnectionRecord>();
    if (!after) throw notFound('Integration');
    const at = this.clock.now().toISOString();
    return {
      ok: error === null,
      error: error && { code: error.code, message: error.message, at },
      connection: toCrmConnection(after),
    };
  }

  /** Checks connections that were unused for a day, to find revoked access early. */
  async checkIdle(signal: AbortSignal): Promise<void> {
    await checkIdle(this.connections, this.clock.in(-IDLE_MS), signal, async (record) => {
      await this.#check(record).catch((error: unknown) =>
        this.log.error('A CRM connection could not be checked', error, { crm: record.type }),
      );
    });
  }

  /** @returns the vendor's error; null when the credentials are accepted */
  async #check(record: CrmConnectionRecord): Promise<CrmError | null> {
    const { type, revision } = record;
    const workspaceId = record.workspaceId.toHexString();
    try {
      const session = this.repository.openSession(record);
      const { accountName } = await withRequestTimeout(TIMEOUT_MS, (signal) => session.identity(signal));
      await this.repository.markAuthorized(workspaceId, type, { revision, accountName });
      return null;
    } catch (error) {
      if (!(error instanceof CrmError)) throw error;
      await this.repository.markFailed(workspaceId, type, error, revision);
      return error;
    }
  }
}
