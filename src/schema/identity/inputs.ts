// What the REST rows of this noun validate with; they reach the domain only through here.
export { landingKinds } from '../../domain/identity/landing.ts';
export { refreshInput } from '../../domain/identity/refresh.ts';
export { signInInput } from '../../domain/identity/sign-in.ts';
export { ssoTokenInput, ssoVerifyInput } from '../../domain/identity/sso.ts';
export { switchCenterInput } from '../../domain/identity/switch-center.ts';
