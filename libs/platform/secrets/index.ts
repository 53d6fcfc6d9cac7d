export { type KeyMark, KeyMarks } from './key.marks';
export { KeyRing } from './key.ring';
export { type SealedStore, SealedStores, type SealedValue } from './sealed.stores';
export { SecretBox } from './secret.box';
export { type RotationFailure, type RotationReport, SecretRotation } from './secret.rotation.service';
export { KeyRingError, SecretOpenError, type SecretOpenReason } from './secrets.errors';
export { SecretsModule } from './secrets.module';
export { TokenSigner } from './token.signer';
