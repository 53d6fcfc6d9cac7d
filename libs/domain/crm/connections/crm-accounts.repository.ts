import { CrmPort, type CrmAuth, type CrmSession } from '@adapters/crm';
import { Injectable } from '@nestjs/common';
import { SecretBoxService } from '@platform/secrets';
import { CrmTokenService } from '../oauth/crm-token.service';
import { connectionSecretOwner } from './crm-secrets';
import { type CrmConnectionRecord } from './schemas/crm-connection.record';

type Opened = Pick<CrmConnectionRecord, '_id' | 'workspaceId' | 'type' | 'baseUrl' | 'apiKey'>;

/** Opens the accounts of connections. */
@Injectable()
export class CrmAccountsRepository {
  constructor(
    private readonly crms: CrmPort,
    private readonly tokens: CrmTokenService,
    private readonly box: SecretBoxService,
  ) {}

  /** Costs no request: the first call does. @throws SecretOpenError when the key of the secrets is gone */
  session(connection: Opened): CrmSession {
    const { type, baseUrl } = connection;
    return this.crms.driver(type).open({ type, baseUrl, auth: this.#auth(connection) });
  }

  #auth({ _id: connectionId, workspaceId, apiKey }: Opened): CrmAuth {
    if (apiKey === null) {
      return { kind: 'token', token: (refused) => this.tokens.token({ workspaceId, connectionId }, refused) };
    }
    return { kind: 'key', key: this.box.open(apiKey, connectionSecretOwner(workspaceId, connectionId, 'apiKey')) };
  }
}
