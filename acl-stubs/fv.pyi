"""acl.fv: feature retrieval; only names are known."""
# Made from the tables: python -m ascend_sim.pyacl.stubs

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

def create_init_para(*arguments: Any) -> int:
    """handle = acl.fv.create_init_para()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls aclfvCreateInitPara.
    """

def destory_init_para(*arguments: Any) -> int:
    """ret = acl.fv.destory_init_para()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclfvDestroyInitPara.
    """

def destroy_init_para(*arguments: Any) -> int:
    """ret = acl.fv.destroy_init_para()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclfvDestroyInitPara.
    """

def set_1n_top_num(*arguments: Any) -> int:
    """ret = acl.fv.set_1n_top_num()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclfvSet1NTopNum.
    """

def set_nm_top_num(*arguments: Any) -> int:
    """ret = acl.fv.set_nm_top_num()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclfvSetNMTopNum.
    """

def init(*arguments: Any) -> int:
    """ret = acl.fv.init()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclfvInit.
    """

def release(*arguments: Any) -> int:
    """ret = acl.fv.release()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclfvRelease.
    """

def repo_add(*arguments: Any) -> int:
    """ret = acl.fv.repo_add()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclfvRepoAdd.
    """

def repo_del(*arguments: Any) -> int:
    """ret = acl.fv.repo_del()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclfvRepoDel.
    """

def create_feature_info(*arguments: Any) -> int:
    """handle = acl.fv.create_feature_info()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls aclfvCreateFeatureInfo.
    """

def destroy_feature_info(*arguments: Any) -> int:
    """ret = acl.fv.destroy_feature_info()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclfvDestroyFeatureInfo.
    """

def create_repo_range(*arguments: Any) -> int:
    """handle = acl.fv.create_repo_range()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls aclfvCreateRepoRange.
    """

def destroy_repo_range(*arguments: Any) -> int:
    """ret = acl.fv.destroy_repo_range()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclfvDestroyRepoRange.
    """

def delete(*arguments: Any) -> int:
    """ret = acl.fv.delete()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclfvDel.
    """

def modify(*arguments: Any) -> int:
    """ret = acl.fv.modify()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclfvModify.
    """

def create_query_table(*arguments: Any) -> int:
    """handle = acl.fv.create_query_table()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls aclfvCreateQueryTable.
    """

def destroy_query_table(*arguments: Any) -> int:
    """ret = acl.fv.destroy_query_table()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclfvDestroyQueryTable.
    """

def create_search_input(*arguments: Any) -> int:
    """handle = acl.fv.create_search_input()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls aclfvCreateSearchInput.
    """

def destroy_search_input(*arguments: Any) -> int:
    """ret = acl.fv.destroy_search_input()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclfvDestroySearchInput.
    """

def create_search_result(*arguments: Any) -> int:
    """handle = acl.fv.create_search_result()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls aclfvCreateSearchResult.
    """

def destroy_search_result(*arguments: Any) -> int:
    """ret = acl.fv.destroy_search_result()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclfvDestroySearchResult.
    """

def search(*arguments: Any) -> int:
    """ret = acl.fv.search()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclfvSearch.
    """
