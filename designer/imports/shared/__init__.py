"""What the imports share: their result, rules of garbage collection, data made into a document, Terraform resources."""
