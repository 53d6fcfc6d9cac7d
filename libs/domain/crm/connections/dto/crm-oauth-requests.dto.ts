import { UrlField } from '@platform/validation';
import { StartIntegrationOAuthRequest } from '@domain/oauth';

const MAX_URL = 500;

export class StartCrmOAuthRequest extends StartIntegrationOAuthRequest {
  @UrlField({
    max: MAX_URL,
    optional: true,
    about: 'Where the account logs in, for Salesforce with an address of its own: My Domain, or a sandbox.',
    example: 'https://acme.my.salesforce.com',
  })
  accountUrl?: string;
}
