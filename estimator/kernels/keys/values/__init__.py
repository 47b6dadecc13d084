"""Values of fields: shapes, orders and popularity."""
