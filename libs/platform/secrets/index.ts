export { type KeyMark, KeyIdRegistry } from './key-id.registry';
export { KeyRing } from './key-ring';
export { type SecretStore, SecretStoreRegistry, type EncryptedValue } from './secret-store.registry';
export { SecretBoxService } from './secret-box.service';
export { type RotationFailure, type RotationReport, SecretRotationService } from './secret-rotation.service';
export { KeyRingError, SecretOpenError, type SecretOpenReason } from './secrets.errors';
export { SecretsModule } from './secrets.module';
export { TokenSignerService } from './token-signer.service';
