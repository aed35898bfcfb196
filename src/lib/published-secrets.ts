// Sample keys of standards, documentation and compose files. Forgers try them first. Listed are those that are long enough for a
// secret of this service and that no phrase in guessable.ts recognizes.
export const publishedSecrets = [
  // RFC 7515 appendix A.1 (also in RFC 7517 and 7519), RFC 7520 sections 3.5 and 3.6
  'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
  'hJtXIZ2uSN5kbQfbtTNWbpdmhkV8FJG-Onbc6mxCcYg',
  'AAPapAv4LbFbiVawEjagUBluYqN5rhna-8nuldDvOx8',
  // FIPS 197 and NIST SP 800-38A
  '2b7e151628aed2a6abf7158809cf4f3c',
  '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4',
  // FastAPI, Flask, Symfony and NestJS
  '09d25e094faa6ca2556c818166b7a9563b93f7099f6f0f4caa6cf63b88e8d3e7',
  '192b9bdd22ab9ed4d12e236c78afcb9a393ec15f71bbf5dc987d54727823bcbf',
  '2ca64f8d83b9e89f5f19d672841d6bb8',
  // Spring and ASP.NET tutorials
  '404E635266556A586E3272357538782F413F4428472B4B6250645367566B5970',
  '3cfa76ef14937c1c0ea519f8fc057a80fcd04a7420f8e8bcd0a7567c272e007b',
  '5367566B59703373367639792F423F4528482B4D6251655468576D5A71347437',
  '9a4f2c8d3b7a1e6f45c8a0b3f267d8b1d4e6f3c8a9d2b5f8e3a9c8b5f6v8a3d9',
  'ByYM000OLlMQG6VVVp1OH7Xzyr7gHuw1qvUC5dcGt3SNM',
  'JWTAuthenticationHIGHsecuredPasswordVVVp1OH7Xzyr',
  'JWTAuthenticationHIGHSecuredPassword',
  // PostgREST, Hasura and Supabase
  'reallyreallyreallyreallyverysafe',
  '3EK6FD+o0+c7tzBNVfjpMkNDi2yARAAKzQlk8O2IKoxQu4nF7EdAh8s3TwpHwrdWT6R',
  'UpNVntn3cDxHJpq99YMc1T1AQgQpc8kfYTuRgBiYa15BLrx8etQoXz3gZv1/u2oq',
  // LibreChat, Directus, Dify, Infisical, NocoDB, Zitadel and Airflow
  '16f8c0ef4a5d391b26034086c628469d3f9f497f08163ab9b40137092f2909ef',
  'eaa5191f2914e30b9387fd84e254e4ba6fc51b4654968a9b0803b456a54b8418',
  'f34be427ebb29de8d88c107a71546019685ed8b241d8f2ed00c3df97ad2566f0',
  '255d861b-5ea1-5996-9aa3-922530ec40b1',
  '6116487b-cda1-52c2-b5b5-c8022c45e263',
  'sk-9f73s3ljTXVcMT3Blb3ljTqtsKiGHXVcMT3BlbkFJLK7U',
  '6c1fe4e407b8911c104518103505b218',
  'f13dbc92aaaf86fa7cb0ed8ac3265f47',
  '5lrMXKKWCVocS/uerPsl7V+TX/aaUaI7iDkgl3tSmLE=',
  '569a1821-0a93-45e8-87ab-eb857f20a010',
  'MasterkeyNeedsToHave32Characters',
  '46BKJoQYlPPOexq0OhDZnIlNepKFf87WFwLbfzqDDho=',
  '81HqDtbqAywKSOumSha3BhWNOdQ26slT6K0YaZeZyPs=',
  // The sample token in the API description of this service
  'Zk2hJ0n8m2v1c7x5Zk2hJ0n8m2v1c7x5',
];
