export { OAuthServer, type VendorAccount } from './oauth-server';
