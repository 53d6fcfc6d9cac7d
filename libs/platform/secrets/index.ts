export { KeyRing } from './key.ring';
export { SecretBox } from './secret.box';
export { KeyRingError, SecretOpenError, type SecretOpenReason } from './secrets.errors';
export { SecretsModule } from './secrets.module';
export { TokenSigner } from './token.signer';
