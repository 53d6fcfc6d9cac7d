export { KeyAuthentication } from './api-keys.authentication.service';
export { ApiKeysModule } from './api-keys.module';
export { type IssueKey, OperatorKeysService } from './api-keys.operator.service';
export { ApiKeysService } from './api-keys.service';
export { AcceptedInvitationResponse, AcceptInvitationRequest } from './dto/acceptance.dto';
export {
  ApiKeyQuery,
  ApiKeyResponse,
  CreateApiKeyRequest,
  NewApiKeyResponse,
  RotateApiKeyRequest,
} from './dto/api-key.dto';
export { InvitationAcceptance } from './invitation-acceptance.service';
