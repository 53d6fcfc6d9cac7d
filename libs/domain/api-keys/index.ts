export { ApiKeyAuthenticationService } from './api-key-authentication.service';
export { ApiKeysModule } from './api-keys.module';
export { type IssueKey, OperatorKeysService } from './operator-keys.service';
export { ApiKeysService } from './api-keys.service';
export { AcceptedInvitationResponse, AcceptInvitationRequest } from './dto/acceptance.dto';
export {
  ApiKeyQuery,
  ApiKeyResponse,
  CreateApiKeyRequest,
  NewApiKeyResponse,
  RotateApiKeyRequest,
} from './dto/api-key.dto';
export { InvitationAcceptanceService } from './invitation-acceptance.service';
