"""The chapters of media processing (acl_dvpp.h)."""
