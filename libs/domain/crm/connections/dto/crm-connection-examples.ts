import { type SetCrmRequest } from './crm-connection-requests.dto';
import { type StartCrmOAuthRequest } from './crm-oauth-requests.dto';

/** Example bodies for the API documentation. */
export const CRM_CONNECTION_EXAMPLES: { set: SetCrmRequest; startOAuth: StartCrmOAuthRequest } = {
  set: { apiKey: 'key-made-at-the-vendor', enabled: true, ownerPolicy: 'keep' },
  startOAuth: { redirectUrl: 'https://app.example.com/integrations' },
};
